import type { Stage } from '@acervo/platform-queue';

/** Loads a prepared generation into both legs and makes it live. */
export const INDEX_STAGE: Stage = { name: 'index', batch: 4, leaseSeconds: 30, attempts: 6 };
/** Removes chunks that are live no more. */
export const PURGE_STAGE: Stage = { name: 'purge', batch: 16, leaseSeconds: 30, attempts: 20 };
