export * from './choose';
export * from './embedder';
export * from './hashing-embedder';
