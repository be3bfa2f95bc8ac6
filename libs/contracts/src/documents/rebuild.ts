import { call } from '../calls';
import { Flag, Int, Moment } from '../fields';
import { Empty } from '../ingestion/folders';
import { operators } from '../services';

/** Ingestion asks retrieval for the wishes to its own program. */
const starters = { scope: 'work', callers: [...operators, 'ingestion'] } as const;

/** A rebuild that was set going. */
export class IndexRebuild {
  @Int({ description: 'Documents that are handed over again' }) readonly documents!: number;
  @Moment({ description: 'When it began, by the clock of the database' }) readonly since!: string;
}

/**
 * Hands every searchable document over again from the objects that were laid down for it: nothing is extracted or
 * embedded, and what is searched stays so until it is replaced. May be asked again and again.
 */
export const rebuildIndexes = call({
  ...starters,
  code: 'indexes.rebuild',
  owner: 'ingestion',
  effect: 'write',
  input: Empty,
  output: IndexRebuild,
  deadlineMs: 600_000,
});

export class CopiesRebuild {
  @Flag({ description: 'Whether an engine beside the database ranks words, so that there is an index to make anew' })
  readonly isPlanned!: boolean;
}

/**
 * Has a new index of the group filled in the engine that ranks words, which is searched instead of the old one once it
 * lacks nothing; the old one is removed then. Nothing where the database ranks them. Asked again while that is done, it
 * is done once.
 */
export const rebuildCopies = call({
  ...starters,
  code: 'indexes.rebuild_copies',
  owner: 'retrieval',
  effect: 'write',
  input: Empty,
  output: CopiesRebuild,
  deadlineMs: 40_000,
});

export class RebuildQuestion {
  @Moment({ description: 'When the rebuild began' }) readonly since!: string;
}

export class RebuildState {
  @Int({ description: 'Documents whose indexes were made since then' }) readonly rebuilt!: number;
  @Int({ description: 'Documents that wait to be brought into the indexes' }) readonly waiting!: number;
  @Flag({ description: 'Whether an index of the engine that ranks words is being filled' })
  readonly isFilling!: boolean;
  @Flag({ description: 'Whether there is an index there that does not follow the one that is searched yet' })
  readonly isUnfinished!: boolean;
}

/** How far the indexes of a group are made anew. */
export const rebuildState = call({
  ...starters,
  code: 'indexes.rebuild_state',
  owner: 'retrieval',
  effect: 'read',
  input: RebuildQuestion,
  output: RebuildState,
});
