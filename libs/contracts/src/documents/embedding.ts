import { call } from '../calls';
import { Empty } from '../empty';
import { event } from '../events';
import { Flag, Int, ListOf } from '../fields';
import { operators } from '../services';
import { EmbeddingModelKey } from './events';

/** A group is searched in another embedding index from now on. */
export class EmbeddingIndexLive extends EmbeddingModelKey {}

/** Published in the transaction that switches searches to an embedding index. */
export const embeddingIndexLive = event({
  topic: 'embedding_space.live.v1',
  producer: 'retrieval',
  subscribers: ['ingestion'],
  payload: EmbeddingIndexLive,
  key: () => 'space',
});

/** Ingestion asks retrieval for the admin commands of its own program. */
const starters = { scope: 'work', callers: [...operators, 'ingestion'] } as const;

export class EmbeddingBuild {
  @Int({ description: 'Documents that are embedded again for the embedder in use' }) readonly documents!: number;
}

/** Starts embedding every document with the embedder in use. Idempotent. */
export const buildEmbeddings = call({
  ...starters,
  code: 'embedding.build',
  owner: 'ingestion',
  effect: 'write',
  input: Empty,
  output: EmbeddingBuild,
  deadlineMs: 600_000,
});

export class EmbeddingState {
  @ListOf(() => EmbeddingModelKey, {
    max: 1,
    description: 'The embedding index that is searched; none before the first document',
  })
  readonly live!: readonly EmbeddingModelKey[];
  @Flag({ description: 'Whether the embedder of that index is the one in use' }) readonly settled!: boolean;
  @Int({ description: 'Documents that are searched' }) readonly documents!: number;
  @Int({ description: 'Those of them that are also in the index of the embedder in use' }) readonly built!: number;
}

/** The embedding index that searches of a group use, and the progress of the one for the embedder in use. */
export const embeddingState = call({
  ...starters,
  code: 'embedding.state',
  owner: 'retrieval',
  effect: 'read',
  input: Empty,
  output: EmbeddingState,
});

/** Gives up unfinished embedding indexes of embedders that are no longer in use. */
export const aimEmbeddings = call({
  ...starters,
  code: 'embedding.aim',
  owner: 'retrieval',
  effect: 'write',
  input: Empty,
  output: EmbeddingState,
});
