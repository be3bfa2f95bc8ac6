export * from './counters';
export * from './postgres-counters';
export * from './redis-counters';
