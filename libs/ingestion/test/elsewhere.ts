import { Embedder, EmbedderUnavailable, type EmbeddingModel, HashingEmbedder } from '@acervo/models';

/** A remote embedder that can be away or wait with its answers, and records the texts that it embeds. */
export class Elsewhere extends Embedder {
  override readonly remote = true;
  readonly embeddingModel: EmbeddingModel = { model: 'elsewhere', revision: '1', dimension: 384, floor: 0 };
  away = false;
  embedded: string[] = [];
  /** Answers wait for it. */
  answersFrom: Promise<void> = Promise.resolve();

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.away) throw new EmbedderUnavailable('test');
    this.embedded.push(...texts);
    await this.answersFrom;
    return new HashingEmbedder().embed(texts);
  }
}
