import { Embedder, type EmbeddingKind, type EmbeddingModel } from './embedder';
import { EmbedderUnavailable } from './embedder.errors';

/**
 * Asks an embedding index of an earlier revision with the questions of another embedder, whose vectors are nearly the
 * same. It embeds no passages, so that vectors of two revisions never lie in one index.
 */
export class QuestionsOnly extends Embedder {
  override readonly remote = true;

  constructor(
    readonly embeddingModel: EmbeddingModel,
    private readonly embedder: Embedder,
  ) {
    super();
  }

  embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    if (kind === 'query') return this.embedder.embed(texts, kind);
    return Promise.reject(new EmbedderUnavailable('vectors of this revision are no longer made'));
  }
}
