export * from './stack';
export * from './test-database';
