import { Injectable } from '@nestjs/common';
import { Embedders, EmbedderUnavailable, type EmbeddingModel } from '@acervo/models';
import { Cpu } from '../cpu/cpu';
import { EMBED_PASSAGES, PLAN_VECTORS } from './vector-jobs';
import { type EarlierBytes, filledIn } from './vector-plan';

/** The vectors to make. */
export interface Wanted {
  readonly chunks: Uint8Array;
  readonly earlier: EarlierBytes | null;
  readonly embeddingModel: EmbeddingModel;
  readonly progress: () => void;
}

/** Passages between two reports of progress. */
const SLICE = 8;

/** Embeds passages with the embedder of an embedding index, changed passages only. */
@Injectable()
export class PassageEmbedder {
  constructor(
    private readonly cpu: Cpu,
    private readonly embedders: Embedders,
  ) {}

  /** @throws EmbedderFailure */
  async embed({ chunks, earlier, embeddingModel, progress }: Wanted): Promise<Uint8Array> {
    const { cpu, embedders } = this;
    const embedder = embedders.of(embeddingModel);
    if (embedder === undefined) throw new EmbedderUnavailable(`${embeddingModel.model} is not configured here`);
    if (!embedder.remote) return cpu.run(EMBED_PASSAGES, { chunks, earlier, embedder: embeddingModel.model });
    const plan = await cpu.run(PLAN_VECTORS, { chunks, earlier, dimension: embeddingModel.dimension });
    const vectors: Float32Array[] = [];
    for (let from = 0; from < plan.texts.length; from += SLICE) {
      vectors.push(...(await embedder.embed(plan.texts.slice(from, from + SLICE), 'passage')));
      progress();
    }
    return filledIn(plan, vectors);
  }
}
