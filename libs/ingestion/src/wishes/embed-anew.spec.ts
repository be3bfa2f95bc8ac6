import type { Call } from '@acervo/contracts';
import { HashingEmbedder } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { embedAnew } from './embed-anew';

const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'operator', 'test');
const target = new HashingEmbedder();
const other = { ...target.space, model: 'other' };

interface Asked {
  readonly said: readonly string[];
  readonly sent: readonly string[];
  readonly failure: string;
}

/** What comes of it when retrieval answers these states, each once and the last one from then on. */
const anew = async (states: readonly object[], targetRuns = true): Promise<Asked> => {
  const [said, sent]: [string[], string[]] = [[], []];
  let asked = 0;
  const send = ({ code }: Call): Promise<unknown> => {
    sent.push(code);
    return Promise.resolve(
      code === 'embedding.build' ? { documents: 2 } : states[Math.min(asked++, states.length - 1)],
    );
  };
  const failure = await embedAnew({
    ...{ calls: { send } as unknown as Calls, scope, name: 'mine', embedders: { target, targetRuns } },
    ...{ say: (line: string) => void said.push(line), patienceMs: 0 },
  }).then(
    () => '',
    (error: unknown) => String(error),
  );
  return { said, sent, failure };
};
const state = (more: object) => ({ live: [other], settled: false, documents: 2, built: 0, ...more });

describe('embedding what is there anew', () => {
  it('waits until everything is searched with the embedder of the environment', async () => {
    const { said, sent, failure } = await anew([state({}), state({}), state({ live: [target.space], settled: true })]);
    expect(failure).toBe('');
    expect(sent.slice(0, 3)).toEqual(['embedding.state', 'embedding.aim', 'embedding.build']);
    expect(said.at(-1)).toBe('Every document is searched with the embedder mine.');
  });
  it('begins nothing while retrieval runs with another embedder, and says what to do', async () => {
    const { sent, failure } = await anew([state({ settled: true })]);
    expect(failure).toMatch(/Retrieval runs with the embedder of other: start it and ingestion anew/);
    expect(sent).toEqual(['embedding.state']);
  });
  it('gives up when no document gets ready', async () => {
    expect((await anew([state({})])).failure).toMatch(/No document got ready/);
  });
  it('needs an embedder that can be asked', async () => {
    expect((await anew([state({})], false)).failure).toMatch(/set ACERVO_EMBEDDER_URL/);
  });
  it('has nothing to do where there are no documents', async () => {
    const { said, sent } = await anew([state({ live: [], settled: true })]);
    expect([said, sent]).toEqual([['There are no documents yet.'], ['embedding.state']]);
  });
});
