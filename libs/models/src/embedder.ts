/** Identifies comparable vectors: only vectors of one model, revision and dimension can be compared. */
export interface EmbeddingModel {
  readonly model: string;
  readonly revision: string;
  readonly dimension: number;
  /** Mean cosine of unrelated passages: it has similarity 0 for this model. */
  readonly floor: number;
}

export type EmbeddingKind = 'query' | 'passage';

/** Turns texts into vectors of length 1. */
export abstract class Embedder {
  abstract readonly embeddingModel: EmbeddingModel;
  /** Runs over the network, so it uses no processor of this process. */
  readonly remote: boolean = false;
  /** How far its vectors hold meaning, where it is known without a measurement (`measureMeaning`). */
  readonly meaning?: number;
  /**
   * One vector for each text, in order, including empty texts.
   * @throws EmbedderUnavailable when the model is unavailable now, EmbedderRefused when a retry changes nothing.
   */
  abstract embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]>;
}

export const isSameModel = (a: Omit<EmbeddingModel, 'floor'>, b: Omit<EmbeddingModel, 'floor'>): boolean =>
  a.model === b.model && a.revision === b.revision && a.dimension === b.dimension;

/** Similarity from 0 (unrelated, whatever the model) to 1 (the same): (cosine - floor) / (1 - floor), clamped. */
export const calibratedSimilarity = (cosine: number, floor: number): number =>
  Math.min(1, Math.max(0, (cosine - floor) / (1 - floor)));
