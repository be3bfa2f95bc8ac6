export { partitionsOf } from './kernel/bucket';
export { ChunkStore } from './handover/chunk.store';
export { lexicalStatement, vectorStatement } from './legs/leg-sql';
export type { LegQuery } from './legs/ranking';
export * from './migrations';
export * from './retrieval.module';
export * from './retrieval.service-definition';
