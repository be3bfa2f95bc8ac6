export * from './logger';
export * from './metric-declarations';
export { type MeasuredService, metricsReference } from './metrics-reference';
export { beginAtZero, Metrics, observabilityMetrics, processMetrics } from './metrics';
export * from './telemetry';
export * from './trace-context';
export * from './tracer';
export * from './tracing';
export * from './work-context';
