import { DocumentEmbedded, DocumentPrepared } from '@acervo/contracts';
import type { NewTask, Stage } from '@acervo/platform-queue';

/** Loads a prepared generation into both legs and makes it live. */
export const INDEX_STAGE: Stage = {
  ...{ name: 'index', batch: 32, leaseSeconds: 30, attempts: 6 },
  payload: DocumentPrepared,
};
/** The same for an embedding index that is being built: apart, so that the live index never waits for it. */
export const BUILD_STAGE: Stage = { ...INDEX_STAGE, name: 'build', capacity: 'long' };
/** Loads the vectors of a generation whose words are live. */
export const VECTORS_STAGE: Stage = {
  ...{ name: 'vectors', batch: 16, leaseSeconds: 30, attempts: 6 },
  payload: DocumentEmbedded,
};
/** Makes an embedding index live, once it contains every document. */
export const FLIP_STAGE: Stage = { name: 'flip', batch: 1, leaseSeconds: 30, attempts: 20 };
/** Clears an embedding index that is no longer searched. */
export const RETIRE_STAGE: Stage = { name: 'retire', batch: 1, leaseSeconds: 30, attempts: 20 };
/** Removes chunks that are no longer live. */
export const PURGE_STAGE: Stage = { name: 'purge', batch: 16, leaseSeconds: 30, attempts: 20 };
/** Writes the copies of a document's chunks again, after it moved. */
export const COPY_STAGE: Stage = { name: 'copy', batch: 8, leaseSeconds: 30, attempts: 20, capacity: 'long' };
/** Writes tombstones for copies of a document whose chunks are gone. */
export const TOMBSTONE_STAGE: Stage = { name: 'bury', batch: 8, leaseSeconds: 30, attempts: 20 };
/** Fills an index of a group from the database and makes it live. */
export const REBUILD_STAGE: Stage = { name: 'rebuild', batch: 1, leaseSeconds: 60, attempts: 20, capacity: 'long' };
/** Removes an index that is no longer searched. */
export const DROP_STAGE: Stage = { name: 'drop', batch: 1, leaseSeconds: 60, attempts: 20 };

/** How long after a document enters an embedding index that is built a flip looks whether it was the last one. */
const LOOK_AFTER_MS = 1_000;

/** Looks whether an embedding index is complete. Delayed a little: one look serves all documents that come meanwhile. */
export const flipTask = (groupId: string, indexId: number): NewTask => ({
  ...{ subjectId: groupId, stage: FLIP_STAGE.name, generation: indexId },
  delayMs: LOOK_AFTER_MS,
});
