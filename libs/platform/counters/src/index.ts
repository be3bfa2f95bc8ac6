export * from './counters';
export * from './postgres-counters';
