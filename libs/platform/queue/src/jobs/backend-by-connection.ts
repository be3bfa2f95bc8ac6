import { type BackendFactory, createRedisBackend, isPgPool, setDefaultBackendFactory } from 'bullmq';
import { RetryingPostgresBackend } from './retrying-backend';

/**
 * Longest that adding a job waits for an absent Redis. The task reconciler adds the job again, and the caller
 * continues.
 */
const ADD_MS = 2_000;

/**
 * Opens the backend that the connection of a queue or worker selects: a pool of PostgreSQL, else options of Redis. A
 * worker waits for Redis without a limit; a queue gives up after one try.
 */
export const backendByConnection: BackendFactory = (name, options, how = {}) => {
  const { connection } = options;
  const isWorker = how.withBlockingConnection === true;
  if (isPgPool(connection)) return new RetryingPostgresBackend(connection, name, options, isWorker ? name : undefined);
  const patience = isWorker ? { maxRetriesPerRequest: null } : { commandTimeout: ADD_MS, maxRetriesPerRequest: 1 };
  return createRedisBackend(name, { ...options, connection: { ...connection, ...patience } }, how);
};

// The setting applies to the whole process. Applications on different backends share it, because the factory decides by
// connection.
setDefaultBackendFactory(backendByConnection);
