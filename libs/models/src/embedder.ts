/** A vector space: vectors of one model, revision and dimension can be compared with each other and nothing else. */
export interface EmbeddingModel {
  readonly model: string;
  readonly revision: string;
  readonly dimension: number;
  /** Mean cosine of unrelated passages: where similarity 0 lies for this model. */
  readonly floor: number;
}

export type EmbeddingKind = 'query' | 'passage';

/** Turns texts into vectors of length 1. */
export abstract class Embedder {
  abstract readonly space: EmbeddingModel;
  /** Asked over the network, so that it keeps no processor of this process busy. */
  readonly remote: boolean = false;
  /**
   * One vector a text, in order. An empty text gives a vector too.
   * @throws EmbedderUnavailable when the model cannot be asked now, EmbedderRefused when asking again changes nothing.
   */
  abstract embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]>;
}

export const sameSpace = (a: Omit<EmbeddingModel, 'floor'>, b: Omit<EmbeddingModel, 'floor'>): boolean =>
  a.model === b.model && a.revision === b.revision && a.dimension === b.dimension;

/** Similarity from 0 (unrelated, whatever the model) to 1 (the same): (cosine - floor) / (1 - floor), clamped. */
export const calibratedSimilarity = (cosine: number, floor: number): number =>
  Math.min(1, Math.max(0, (cosine - floor) / (1 - floor)));
