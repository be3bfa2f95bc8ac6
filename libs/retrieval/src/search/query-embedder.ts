import { Injectable } from '@nestjs/common';
import { Embedders, EmbedderUnavailable } from '@acervo/models';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';

/** Turns queries into vectors for the live embedding index. */
@Injectable()
export class QueryEmbedder {
  constructor(private readonly embedders: Embedders) {}

  /** @throws EmbedderUnavailable when no embedder of this process makes such vectors, or it does not answer */
  async embed(embeddingIndex: LiveEmbeddingIndex, query: string): Promise<Float32Array> {
    const embedder = this.embedders.of(embeddingIndex);
    if (embedder === undefined) throw new EmbedderUnavailable(`${embeddingIndex.model} is not configured here`);
    const [embedded] = await embedder.embed([query], 'query');
    if (embedded === undefined) throw new EmbedderUnavailable('it gave no vector');
    return embedded;
  }
}
