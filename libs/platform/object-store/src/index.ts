export * from './directory-object-store';
export * from './object-key';
export * from './object-store';
export { objectStoreMetrics } from './object-store-metrics';
