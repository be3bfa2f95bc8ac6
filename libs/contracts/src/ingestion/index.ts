export * from './folders';
export * from './locations';
export * from './queue';
export * from './stores';
