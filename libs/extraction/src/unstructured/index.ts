export { unstructuredStrategies, type UnstructuredStrategy } from './partition-client';
export * from './unstructured-source';
