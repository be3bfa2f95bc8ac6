export * from './folders';
export * from './queue';
