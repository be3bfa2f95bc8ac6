import { type Call, EngineDown } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { rebuild } from './rebuild';
import { linesOn } from './screen';

const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'standalone', 'test');
const done = { rebuilt: 3, waiting: 0, isFilling: false, isUnfinished: false };

interface Rebuilt {
  readonly said: string;
  readonly asked: number;
  readonly isWhole: boolean;
}

/** What comes of a rebuild whose calls are answered so, each state once and the last one from then on. */
const saidOf = async (copies: unknown, states: readonly object[], settled = true): Promise<Rebuilt> => {
  const lines: string[] = [];
  let asked = 0;
  const answers: Record<string, () => unknown> = {
    'embedding.state': () => ({ live: [{}], settled }),
    'indexes.rebuild_copies': () => copies,
    'indexes.rebuild': () => ({ documents: 3, since: '2026-01-01T00:00:00Z' }),
    'indexes.rebuild_state': () => states[Math.min(asked++, states.length - 1)],
  };
  const send = ({ code }: Call): Promise<unknown> => {
    const answer = (answers[code] ?? (() => new Error(`Nobody answers ${code}.`)))();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const screen = linesOn(
    (line) => void lines.push(line),
    () => 'at work',
  );
  const isWhole = await rebuild({ calls: { send } as unknown as Calls, scope, screen, stopped: () => false });
  return { said: lines.join('\n'), asked, isWhole };
};

describe('a rebuild of the indexes', () => {
  it('says nothing of OpenSearch where the database ranks words', async () => {
    const { said, isWhole } = await saidOf({ isPlanned: false }, [done]);
    expect(isWhole).toBe(true);
    expect(said).toMatch(/Rebuilt: 3 of 3 documents/);
    expect(said).not.toMatch(/OpenSearch/);
  });
  it('waits until the new index of OpenSearch is filled, and says that it is searched', async () => {
    const filling = { ...done, isFilling: true, isUnfinished: true };
    const { said, asked } = await saidOf({ isPlanned: true }, [filling, filling, done]);
    expect(asked).toBe(3);
    expect(said).toMatch(/The new index in OpenSearch is searched/);
  });
  it('does not claim that of an index whose filling was given up', async () => {
    const { said, isWhole } = await saidOf({ isPlanned: true }, [{ ...done, isUnfinished: true }]);
    expect(isWhole).toBe(false);
    expect(said).toMatch(/not whole yet, so the old one is searched/);
  });
  it('says that OpenSearch is down, and makes the rest anew', async () => {
    const { said, isWhole } = await saidOf(new EngineDown('OpenSearch', 'ConnectionError'), [done]);
    expect(isWhole).toBe(false);
    expect(said).toMatch(/OpenSearch does not answer .* No new index is made there/);
    expect(said).toMatch(/Rebuilt: 3 of 3 documents/);
  });
  it('is not done while the embedder changes, and says so', async () => {
    const { said, isWhole } = await saidOf({ isPlanned: false }, [done], false);
    expect([isWhole, said]).toEqual([false, expect.stringMatching(/ask for --rebuild when that is over/)]);
  });
});
