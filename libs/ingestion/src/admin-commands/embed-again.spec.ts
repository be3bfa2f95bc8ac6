import type { Call } from '@acervo/contracts';
import { HashingEmbedder } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { embedAgain } from './embed-again';

const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'operator', 'test');
const target = new HashingEmbedder();
const other = { ...target.embeddingModel, model: 'other' };

interface Asked {
  readonly printed: readonly string[];
  readonly sent: readonly string[];
  readonly failure: string;
}

/** The outcome when retrieval answers these states, each once and the last one repeated. */
const embedded = async (states: readonly object[], targetRuns = true): Promise<Asked> => {
  const [printed, sent]: [string[], string[]] = [[], []];
  let asked = 0;
  const send = ({ code }: Call): Promise<unknown> => {
    sent.push(code);
    return Promise.resolve(
      code === 'embedding.build' ? { documents: 2 } : states[Math.min(asked++, states.length - 1)],
    );
  };
  const failure = await embedAgain({
    ...{ calls: { send } as unknown as Calls, scope, name: 'mine', embedders: { target, targetRuns } },
    ...{ print: (line: string) => void printed.push(line), patienceMs: 0 },
  }).then(
    () => '',
    (error: unknown) => String(error),
  );
  return { printed, sent, failure };
};
const state = (more: object) => ({ live: [other], settled: false, documents: 2, built: 0, ...more });

describe('embedding a group again', () => {
  it('the command waits until searches use the embedder of the environment', async () => {
    const { printed, sent, failure } = await embedded([
      state({}),
      state({}),
      state({ live: [target.embeddingModel], settled: true }),
    ]);
    expect(failure).toBe('');
    expect(sent.slice(0, 3)).toEqual(['embedding.state', 'embedding.aim', 'embedding.build']);
    expect(printed.at(-1)).toBe('Every document is searched with the embedder mine.');
  });
  it('retrieval with another embedder stops the command with an instruction', async () => {
    const { sent, failure } = await embedded([state({ settled: true })]);
    expect(failure).toMatch(/Retrieval runs with the embedder of other: restart it and ingestion/);
    expect(sent).toEqual(['embedding.state']);
  });
  it('the command gives up when no document gets ready', async () => {
    expect((await embedded([state({})])).failure).toMatch(/No document became ready/);
  });
  it('an unavailable embedder stops the command', async () => {
    expect((await embedded([state({})], false)).failure).toMatch(/set ACERVO_EMBEDDER_URL/);
  });
  it('a group without documents needs no work', async () => {
    const { printed, sent } = await embedded([state({ live: [], settled: true })]);
    expect([printed, sent]).toEqual([['There are no documents yet.'], ['embedding.state']]);
  });
});
