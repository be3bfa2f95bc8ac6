export * from './doorbells';
export { migrateQueue } from './job-backend';
export * from './lease-keeper';
export * from './ringer';
export * from './schema';
export * from './stage-runner';
export * from './stages';
export * from './tasks';
