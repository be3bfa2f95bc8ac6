import { DocumentPrepared } from '@acervo/contracts';
import type { Stage } from '@acervo/platform-queue';

/** Loads a prepared generation into both legs and makes it live. */
export const INDEX_STAGE: Stage = {
  ...{ name: 'index', batch: 4, leaseSeconds: 30, attempts: 6 },
  payload: DocumentPrepared,
};
/** The same for a space that is being built: apart, so that what is searched now never waits for it. */
export const BUILD_STAGE: Stage = { ...INDEX_STAGE, name: 'build' };
/** Makes a space the one that is searched, once every document lies in it. */
export const FLIP_STAGE: Stage = { name: 'flip', batch: 1, leaseSeconds: 30, attempts: 20 };
/** Takes a space that is searched no more apart. */
export const RETIRE_STAGE: Stage = { name: 'retire', batch: 1, leaseSeconds: 30, attempts: 20 };
/** Removes chunks that are live no more. */
export const PURGE_STAGE: Stage = { name: 'purge', batch: 16, leaseSeconds: 30, attempts: 20 };
/** Writes the copies of a document's chunks anew, after it moved. */
export const COPY_STAGE: Stage = { name: 'copy', batch: 8, leaseSeconds: 30, attempts: 20 };
/** Marks copies of a document as gone whose chunks are. */
export const BURY_STAGE: Stage = { name: 'bury', batch: 8, leaseSeconds: 30, attempts: 20 };
/** Fills an index of a group from the database and has it searched. */
export const REBUILD_STAGE: Stage = { name: 'rebuild', batch: 1, leaseSeconds: 60, attempts: 20 };
/** Removes an index that is searched no more. */
export const DROP_STAGE: Stage = { name: 'drop', batch: 1, leaseSeconds: 60, attempts: 20 };
