import { call } from '../calls';
import { event } from '../events';
import { Flag, Int, ListOf } from '../fields';
import { Empty } from '../ingestion/folders';
import { operators } from '../services';
import { EmbeddingModelKey } from './events';

/** A group is searched in another vector space from now on. */
export class EmbeddingSpaceLive extends EmbeddingModelKey {}

/** Published in the transaction that makes a space the one that is searched. */
export const embeddingSpaceLive = event({
  topic: 'embedding_space.live.v1',
  producer: 'retrieval',
  subscribers: ['ingestion'],
  payload: EmbeddingSpaceLive,
  key: () => 'space',
});

/** Ingestion asks retrieval for the wishes to its own program. */
const starters = { scope: 'work', callers: [...operators, 'ingestion'] } as const;

export class EmbeddingBuild {
  @Int({ description: 'Documents that are embedded anew for the embedder in use' }) readonly documents!: number;
}

/** Sets going that every document gets vectors of the embedder in use. May be asked again and again. */
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
    description: 'The space that is searched; none before the first document',
  })
  readonly live!: readonly EmbeddingModelKey[];
  @Flag({ description: 'Whether the embedder of that space is the one in use' }) readonly settled!: boolean;
  @Int({ description: 'Documents that are searched' }) readonly documents!: number;
  @Int({ description: 'Those of them that lie in the space of the embedder in use as well' }) readonly built!: number;
}

/** Which space a group is searched in, and how far the space of the embedder in use is. */
export const embeddingState = call({
  ...starters,
  code: 'embedding.state',
  owner: 'retrieval',
  effect: 'read',
  input: Empty,
  output: EmbeddingState,
});

/** Gives up spaces that were being built for an embedder that is in use no more. */
export const aimEmbeddings = call({
  ...starters,
  code: 'embedding.aim',
  owner: 'retrieval',
  effect: 'write',
  input: Empty,
  output: EmbeddingState,
});
