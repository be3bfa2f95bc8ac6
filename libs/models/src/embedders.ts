import { Embedder, type EmbeddingKind, type EmbeddingModel, isSameModel } from './embedder';
import { EmbedderUnavailable } from './embedder.errors';
import {
  describeEmbedder,
  E5,
  EARLIER_E5,
  type EmbedderDescription,
  type EmbeddingSettings,
  HASHING,
} from './embedder-settings';
import { HashingEmbedder } from './hashing-embedder';
import { type EmbedderLoad, HttpEmbedder, type HttpEmbedderSettings } from './http/http-embedder';
import type { RequestObserver } from './http/request-observer';
import { QuestionsOnly } from './questions-only';

/**
 * Stands for an embedder that is unavailable at this start. Its embedding index is known, but nothing can be embedded
 * in it.
 */
export class AbsentEmbedder extends Embedder {
  override readonly remote = true;

  constructor(readonly embeddingModel: EmbeddingModel) {
    super();
  }

  embed(): Promise<Float32Array[]> {
    return Promise.reject(new EmbedderUnavailable('it does not run'));
  }
}

/** Time limit including all retries. A search waits for its query, and work that stops waits for its passages. */
const BUDGET_MS = { query: 3_000, passage: 15_000 } as const;
const QUERIES_AT_A_TIME = 4;
/** Texts of a request to e5 on this machine: more take longer without being cheaper, and a question waits for them. */
const MOST_OF_E5 = 4;

const modelOf = ({ model, revision, dimension, floor }: EmbedderDescription): EmbeddingModel => ({
  model,
  revision,
  dimension,
  floor,
});

const open = (
  about: EmbedderDescription,
  apiKey: string | null,
  settings: EmbeddingSettings,
  observer?: RequestObserver,
): Embedder => {
  if (about.name === HASHING.name) return new HashingEmbedder();
  if (about.url === null) return new AbsentEmbedder(modelOf(about));
  const prefixed = about.telling === 'prefix';
  const endpoint: HttpEmbedderSettings = {
    embeddingModel: modelOf(about),
    model: about.model,
    apiKey,
    inputType: about.telling === 'input_type',
    encoding: settings.embedderEncoding === 'float' ? 'float' : 'base64',
    batchTexts: about.name === E5.name ? Math.min(MOST_OF_E5, settings.embedderBatch) : settings.embedderBatch,
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
  };
  const embedder = new HttpEmbedder(endpoint, observer);
  return isSameModel(about, EARLIER_E5) ? new QuestionsOnly(endpoint.embeddingModel, embedder) : embedder;
};

/**
 * The available embedders: the target, whose vectors every passage gets, and the embedders of vectors that are still
 * searched.
 */
export class Embedders {
  constructor(
    readonly target: Embedder,
    private readonly others: readonly Embedder[] = [new HashingEmbedder()],
  ) {}

  /** @throws when the settings do not make up an embedder. */
  static from(settings: EmbeddingSettings, observer?: RequestObserver): Embedders {
    const about = describeEmbedder(settings);
    const target = open(about, settings.embedderKey, settings, observer);
    const others: Embedder[] = [new HashingEmbedder()];
    if (settings.embedderBefore !== null) {
      const before = JSON.parse(settings.embedderBefore) as EmbedderDescription;
      others.unshift(open(before, settings.embedderBeforeKey, settings, observer));
    }
    if (about.name === E5.name && about.url !== null)
      others.unshift(open({ ...about, revision: EARLIER_E5.revision }, settings.embedderKey, settings, observer));
    return new Embedders(target, others);
  }

  /** Whether the target is available at this start. */
  get targetRuns(): boolean {
    return !(this.target instanceof AbsentEmbedder);
  }

  /** How busy all endpoints together are with one kind of text; null without an endpoint. */
  load(kind: EmbeddingKind): EmbedderLoad | null {
    const loads = [this.target, ...this.others].flatMap((embedder) =>
      embedder instanceof HttpEmbedder ? [embedder.load(kind)] : [],
    );
    if (loads.length === 0) return null;
    const waiting = loads.reduce((sum, load) => sum + load.waiting, 0);
    return { waiting, isPaused: loads.some(({ isPaused }) => isPaused) };
  }

  /** The embedder of an embedding index; undefined if no embedder makes such vectors. */
  of(embeddingModel: Omit<EmbeddingModel, 'floor'>): Embedder | undefined {
    return [this.target, ...this.others].find((embedder) => isSameModel(embedder.embeddingModel, embeddingModel));
  }
}
