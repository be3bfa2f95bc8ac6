export { unstructuredStrategies, type UnstructuredStrategy } from './strategies';
export * from './unstructured-source';
