import { type Embedder, embedderByName } from '@acervo/models';
import { cpuJob } from '../cpu/cpu';
import { type EarlierBytes, filledIn, planVectors, type VectorPlan } from './vector-plan';

const embedders = new Map<string, Embedder>();
const embedderOf = (name: string): Embedder => {
  const embedder = embedders.get(name) ?? embedderByName(name);
  embedders.set(name, embedder);
  return embedder;
};

const SLICE = 256;

interface Planning {
  readonly chunks: Uint8Array;
  readonly dimension: number;
  readonly earlier: EarlierBytes | null;
}

/** The passages that remain to embed, for any embedder. */
export const PLAN_VECTORS = cpuJob('plan', ({ chunks, dimension, earlier }: Planning): VectorPlan =>
  planVectors(chunks, dimension, earlier),
);

interface Embedding {
  readonly chunks: Uint8Array;
  readonly earlier: EarlierBytes | null;
  /** Name of a built-in embedder. */
  readonly embedder: string;
}

/** The vectors of passages by a built-in embedder, as the object that is handed over. */
export const EMBED_PASSAGES = cpuJob('embed', async ({ chunks, earlier, embedder }: Embedding): Promise<Uint8Array> => {
  const model = embedderOf(embedder);
  const planned = planVectors(chunks, model.embeddingModel.dimension, earlier);
  const vectors: Float32Array[] = [];
  for (let from = 0; from < planned.texts.length; from += SLICE)
    vectors.push(...(await model.embed(planned.texts.slice(from, from + SLICE), 'passage')));
  return filledIn(planned, vectors);
});

/** The vectors of a few texts by a built-in embedder. */
export const EMBED_TEXTS = cpuJob(
  'embedTexts',
  ({ texts, embedder }: { readonly texts: readonly string[]; readonly embedder: string }): Promise<Float32Array[]> =>
    embedderOf(embedder).embed([...texts], 'passage'),
);
