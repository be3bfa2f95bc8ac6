import { type Call, EngineDown } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { rebuild } from './rebuild';
import { linesOn } from './screen';

const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'standalone', 'test');
const done = { rebuilt: 3, waiting: 0, isFilling: false, isUnfinished: false };

interface Rebuilt {
  readonly printed: string;
  readonly asked: number;
  readonly isWhole: boolean;
}

/** The outcome of a rebuild whose calls get these answers, each state once and the last one repeated. */
const printedBy = async (copies: unknown, states: readonly object[], settled = true): Promise<Rebuilt> => {
  const lines: string[] = [];
  let asked = 0;
  const answers: Record<string, () => unknown> = {
    'embedding.state': () => ({ live: [{}], settled }),
    'indexes.rebuild_copies': () => copies,
    'indexes.rebuild': () => ({ documents: 3, since: '2026-01-01T00:00:00Z' }),
    'indexes.rebuild_state': () => states[Math.min(asked++, states.length - 1)],
  };
  const send = ({ code }: Call): Promise<unknown> => {
    const answer = (answers[code] ?? (() => new Error(`No handler answers ${code}.`)))();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const screen = linesOn(
    (line) => void lines.push(line),
    () => 'at work',
  );
  const isWhole = await rebuild({ calls: { send } as unknown as Calls, scope, screen, stopped: () => false });
  return { printed: lines.join('\n'), asked, isWhole };
};

describe('a rebuild of the indexes', () => {
  it('a database that ranks words prints nothing about OpenSearch', async () => {
    const { printed, isWhole } = await printedBy({ isPlanned: false }, [done]);
    expect(isWhole).toBe(true);
    expect(printed).toMatch(/Rebuilt: 3 of 3 documents/);
    expect(printed).not.toMatch(/OpenSearch/);
  });
  it('a rebuild waits until the new OpenSearch index is searched', async () => {
    const filling = { ...done, isFilling: true, isUnfinished: true };
    const { printed, asked } = await printedBy({ isPlanned: true }, [filling, filling, done]);
    expect(asked).toBe(3);
    expect(printed).toMatch(/The new index in OpenSearch is searched/);
  });
  it('an unfinished OpenSearch index is reported as not searched', async () => {
    const { printed, isWhole } = await printedBy({ isPlanned: true }, [{ ...done, isUnfinished: true }]);
    expect(isWhole).toBe(false);
    expect(printed).toMatch(/not complete yet, so the old one is searched/);
  });
  it('an unreachable OpenSearch is reported, and the rest is rebuilt', async () => {
    const { printed, isWhole } = await printedBy(new EngineDown('OpenSearch', 'ConnectionError'), [done]);
    expect(isWhole).toBe(false);
    expect(printed).toMatch(/OpenSearch does not answer .* No new index is made there/);
    expect(printed).toMatch(/Rebuilt: 3 of 3 documents/);
  });
  it('a rebuild during an embedder switch is reported as unfinished', async () => {
    const { printed, isWhole } = await printedBy({ isPlanned: false }, [done], false);
    expect([isWhole, printed]).toEqual([false, expect.stringMatching(/repeat --rebuild after the change/)]);
  });
});
