export * from './batches';
export * from './earlier-queue';
export * from './folders';
export * from './location-changes';
export * from './location-list';
export * from './locations';
export * from './queue';
export * from './stores';
