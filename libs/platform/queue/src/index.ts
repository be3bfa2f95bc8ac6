export * from './work-signals';
export * from './jobs/backend-by-connection';
export * from './jobs/job-backend';
export * from './jobs/job-warnings';
export * from './jobs/postgres-jobs';
export * from './jobs/redis-jobs';
export { assertNotInterrupted, unlessInterrupted, WorkInterrupted } from './interruption';
export * from './lease';
export * from './lease-keeper';
export * from './task-reconciler';
export * from './schema';
export * from './stage-processor';
export * from './stage-queue.module';
export * from './stage-retries';
export * from './stage-runner';
export * from './stages';
export { queueMetrics } from './queue-metrics';
export { queueTokensOf, WorkQueues } from './work-queues';
export * from './tasks';
export * from './urgency';
export {
  isStalled,
  type SqlOperand,
  type SubjectOperand,
  type TaskSelector,
  taskState,
  type TaskStateLabels,
  WorkSql,
} from './work-sql';
export * from './work.store';
export { WorkFigures } from './work-figures';
export * from './express-worker';
