export * from './unstructured-source';
