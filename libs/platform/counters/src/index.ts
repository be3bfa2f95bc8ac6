export * from './counters';
export * from './network';
export * from './postgres-counters';
export * from './redis-counters';
