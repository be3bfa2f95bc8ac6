import { call } from '../calls';
import { Empty } from '../empty';
import { Flag, Int, Moment } from '../fields';
import { operators } from '../services';

/** Ingestion asks retrieval for the admin commands of its own program. */
const starters = { scope: 'work', callers: [...operators, 'ingestion'] } as const;

/** A rebuild that has started. */
export class IndexRebuild {
  @Int({ description: 'Documents that are handed over again' }) readonly documents!: number;
  @Moment({ description: 'When it began, by the clock of the database' }) readonly since!: string;
}

/**
 * Hands every searchable document over again from its prepared objects. Nothing is extracted or embedded. Searches use
 * the old content until the new one replaces it. Idempotent.
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
  @Flag({ description: 'Whether an engine beside the database ranks words, so that there is an index to rebuild' })
  readonly isPlanned!: boolean;
}

/**
 * Fills a new index of the group in the engine that ranks words. Searches switch to it once it is complete, and the old
 * index is removed. No effect where the database ranks words. A request during a rebuild starts no second one.
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

/** The progress of rebuilding the indexes of a group. */
export const rebuildState = call({
  ...starters,
  code: 'indexes.rebuild_state',
  owner: 'retrieval',
  effect: 'read',
  input: RebuildQuestion,
  output: RebuildState,
});
