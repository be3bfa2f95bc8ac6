export * from './errors';
export * from './vocabularies';
export * from './vocabulary';
