export * from './folders';
export * from './locations';
export * from './queue';
