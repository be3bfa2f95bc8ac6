export * from './assignments';
export * from './bootstrap';
export * from './schema-check';
export {
  type ConnectionPriority,
  type DatabaseConnection,
  openClient,
  openPool,
  poolConfig,
  type Tls,
} from './connection';
export * from './database-probe';
export * from './doors';
export { DataDirectoryInUse, lockDirectory } from './embedded/lock';
export { clusterOf, ENGINE_MAJOR, engineMajorOf } from './embedded/cluster';
export {
  type DatabaseCopy,
  DatabaseProcess,
  EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from './embedded/supervisor';
export { type EngineRuns, RUN_KINDS, type RunKind, runsSince } from './embedded/shared-session';
export { MigratorBusy } from './migration-lock';
export * from './migrations';
export * from './run-migrations';
export { newestOf } from './passwords';
export * from './program-variables';
export * from './provisioner';
export * from './selection';
export { SliceSize, type SliceLimits } from './slice-size';
export * from './server';
export * from './tenancy';
export { isConnectionLost, StatementAfterEnd } from './session';
export * from './transactions';
export * from './transfer';
export { isRefusedStatement, onlyRow, uniquely } from './violations';
export { vectorToSql } from './vectors';
