export * from './backoff';
export * from './circuit-breaker';
export * from './coalescing-runner';
export * from './mutex';
export * from './retry';
export * from './semaphore';
export * from './single-flight';
export * from './timeout';
