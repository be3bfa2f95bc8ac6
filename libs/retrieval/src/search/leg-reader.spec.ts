import { Embedder, Embedders, EmbedderUnavailable } from '@acervo/models';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { pause } from '@acervo/platform-resilience';
import { silent } from '@acervo/platform-testing';
import { LexicalIndex, type RankedChunk, type RankedVector, type SearchTarget, VectorIndex } from '../legs/ranking';
import { LegReader, type Rankings } from './leg-reader';
import { QueryEmbedder } from './query-embedder';

// A virtual clock: legs fail before or after the search gives them up, however busy the machine is.
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const [AT_ONCE_MS, AFTERWARDS_MS] = [1, 5_000];
const MODEL = { model: 'failing', revision: '1', dimension: 2, floor: 0 };
const TARGET: SearchTarget = {
  visibility: { groupId: 'one', entities: [], locationRoots: null, locationCode: null },
  embeddingIndex: { ...MODEL, ...{ indexId: 1, bucket: 0, mostChunks: 1, isPartial: false } },
};
const RANKED: readonly RankedChunk[] = [{ documentId: 'norte', ordinal: 0 }];

class Words extends LexicalIndex {
  readonly engine = 'words';

  rank(): Promise<readonly RankedChunk[]> {
    return Promise.resolve(RANKED);
  }
}

class Vectors extends VectorIndex {
  readonly engine = 'vectors';

  rank(): Promise<readonly RankedVector[]> {
    return Promise.resolve([]);
  }
}

class FailingEmbedder extends Embedder {
  readonly embeddingModel = MODEL;

  constructor(private readonly failsAfterMs: number) {
    super();
  }

  async embed(): Promise<Float32Array[]> {
    await pause(this.failsAfterMs);
    throw new EmbedderUnavailable('no answer in time');
  }
}

/** A search whose embedder fails after a while, and what the metrics count as left out, by reason. */
const searched = async (
  failsAfterMs: number,
): Promise<{ readonly rankings: Rankings; readonly leftOut: Readonly<Record<string, number>> }> => {
  const metrics = new Metrics('legs');
  const queries = new QueryEmbedder(new Embedders(new FailingEmbedder(failsAfterMs)), { queriesWaiting: 8 });
  const reader = new LegReader(new Words(), new Vectors(), queries, new Telemetry(silent, metrics));
  const request = { query: 'norte', terms: 'norte', documents: 1 };
  const [rankings] = await Promise.all([reader.read(TARGET, request), jest.advanceTimersByTimeAsync(60_000)]);
  const counter = await metrics.registry.getSingleMetric('acervo_leg_left_out_total')?.get();
  const values = (counter?.values ?? []).filter(({ labels, value }) => labels['leg'] === 'vector' && value > 0);
  return { rankings, leftOut: Object.fromEntries(values.map(({ labels, value }) => [labels['reason'], value])) };
};

describe('a search without vectors', () => {
  it.each([
    ['fails at once', AT_ONCE_MS, { failed: 1 }],
    ['fails after it was given up', AFTERWARDS_MS, { late: 1 }],
  ])('a leg that %s is counted once, and words answer', async (_how, failsAfterMs, expected) => {
    const { rankings, leftOut } = await searched(failsAfterMs);
    expect(rankings).toEqual({ lexical: RANKED, vector: null, meaning: 0 });
    expect(leftOut).toEqual(expected);
  });
});
