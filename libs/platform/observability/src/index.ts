export * from './logger';
export * from './metrics';
export * from './telemetry';
export * from './trace-context';
export * from './tracer';
export * from './tracing';
export * from './work-context';
