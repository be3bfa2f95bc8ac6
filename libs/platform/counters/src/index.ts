export * from './counters';
export * from './postgres-counters';
export * from './redis-counters';
export * from './memory-rates';
export * from './postgres-rates';
export * from './rates';
export * from './redis-rates';
export * from './stand-in-rates';
