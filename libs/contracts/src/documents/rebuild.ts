import { call } from '../calls';
import { Int, Moment } from '../fields';
import { Empty } from '../ingestion/folders';

const starters = { scope: 'work', callers: ['standalone'] } as const;

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

export class RebuildQuestion {
  @Moment({ description: 'When the rebuild began' }) readonly since!: string;
}

export class RebuildState {
  @Int({ description: 'Documents whose indexes were made since then' }) readonly rebuilt!: number;
  @Int({ description: 'Documents that wait to be brought into the indexes' }) readonly waiting!: number;
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
