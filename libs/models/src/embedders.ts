import { Embedder, type EmbeddingModel, sameSpace } from './embedder';
import { EmbedderUnavailable } from './embedder.errors';
import { describeEmbedder, type EmbedderDescription, type EmbeddingSettings, HASHING } from './embedder-settings';
import { HashingEmbedder } from './hashing-embedder';
import { HttpEmbedder } from './http/http-embedder';

/** The place of an embedder that cannot run at this start: its space is known, and nothing can be embedded in it. */
export class AbsentEmbedder extends Embedder {
  override readonly remote = true;

  constructor(readonly space: EmbeddingModel) {
    super();
  }

  embed(): Promise<Float32Array[]> {
    return Promise.reject(new EmbedderUnavailable('it does not run'));
  }
}

/** Longest with all tries: a search waits for its query, and work that is to stop waits for its passages. */
const BUDGET_MS = { query: 3_000, passage: 15_000 } as const;
const QUERIES_AT_A_TIME = 4;

const spaceOf = ({ model, revision, dimension, floor }: EmbedderDescription): EmbeddingModel => ({
  model,
  revision,
  dimension,
  floor,
});

const open = (about: EmbedderDescription, apiKey: string | null, settings: EmbeddingSettings): Embedder => {
  if (about.name === HASHING.name) return new HashingEmbedder();
  if (about.url === null) return new AbsentEmbedder(spaceOf(about));
  const prefixed = about.telling === 'prefix';
  return new HttpEmbedder({
    space: spaceOf(about),
    model: about.model,
    apiKey,
    inputType: about.telling === 'input_type',
    encoding: settings.embedderEncoding === 'float' ? 'float' : 'base64',
    batchTexts: settings.embedderBatch,
    batchCharacters: settings.embedderBatchCharacters,
    query: {
      url: about.queryUrl ?? about.url,
      timeoutMs: settings.embedderQueryTimeoutMs,
      budgetMs: Math.max(BUDGET_MS.query, settings.embedderQueryTimeoutMs),
      concurrency: QUERIES_AT_A_TIME,
      prefix: prefixed ? about.queryPrefix : '',
    },
    passage: {
      url: about.url,
      timeoutMs: settings.embedderTimeoutMs,
      budgetMs: Math.max(BUDGET_MS.passage, settings.embedderTimeoutMs),
      concurrency: settings.embedderConcurrency,
      prefix: prefixed ? about.passagePrefix : '',
    },
  });
};

/**
 * The embedders that can be asked: the target, which every passage shall have vectors of, and those that made the
 * vectors that are still searched.
 */
export class Embedders {
  constructor(
    readonly target: Embedder,
    private readonly others: readonly Embedder[] = [new HashingEmbedder()],
  ) {}

  /** @throws when the settings do not make up an embedder. */
  static from(settings: EmbeddingSettings): Embedders {
    const target = open(describeEmbedder(settings), settings.embedderKey, settings);
    const others: Embedder[] = [new HashingEmbedder()];
    if (settings.embedderBefore !== null) {
      const before = JSON.parse(settings.embedderBefore) as EmbedderDescription;
      others.unshift(open(before, settings.embedderBeforeKey, settings));
    }
    return new Embedders(target, others);
  }

  /** Whether the target can be asked at all at this start. */
  get targetRuns(): boolean {
    return !(this.target instanceof AbsentEmbedder);
  }

  /** The embedder of a space; undefined when none of them makes such vectors. */
  of(space: Omit<EmbeddingModel, 'floor'>): Embedder | undefined {
    return [this.target, ...this.others].find((embedder) => sameSpace(embedder.space, space));
  }
}
