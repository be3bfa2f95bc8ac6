import { Embedder, type EmbeddingKind, type EmbeddingModel } from '@acervo/models';
import type { Cpu } from '../cpu/cpu';
import { EMBED_TEXTS } from '../embedding/vector-jobs';

/** Embeds passages with a built-in embedder in the threads for it, so that requests do not wait. */
export class PooledEmbedder extends Embedder {
  constructor(
    private readonly target: Embedder,
    private readonly cpu: Cpu,
  ) {
    super();
  }

  get embeddingModel(): EmbeddingModel {
    return this.target.embeddingModel;
  }

  embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    if (this.target.remote || kind === 'query') return this.target.embed(texts, kind);
    return this.cpu.run(EMBED_TEXTS, { texts, embedder: this.embeddingModel.model });
  }
}
