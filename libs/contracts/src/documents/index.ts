export * from './changes';
export * from './documents';
export * from './embedding';
export * from './events';
export * from './explain';
export * from './file-hints';
export * from './prepared-objects';
export * from './search';
