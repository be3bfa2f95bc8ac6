import type { Partition, TableIndex } from '@acervo/platform-database';

/** A whole number that names the partitions of a group. */
export type Bucket = number;

export const chunkTable = (bucket: Bucket): string => `chunk_${bucket}`;
export const lexicalIndex = (bucket: Bucket): string => `chunk_${bucket}_bm25`;
export const vectorTable = (dimension: number, bucket: Bucket): string => `vector_${dimension}_${bucket}`;

/**
 * Chunks from which a bucket has a vector graph. Searches compare all vectors of up to `MOST_EXACT` chunks, and a graph
 * that no search reads makes a vector several times as dear to store.
 */
export const GRAPH_FROM = 5_000;

/** The vector graph of a bucket: one index for all vectors of a dimension. */
export const vectorGraph = (dimension: number, bucket: Bucket): TableIndex => {
  const table = vectorTable(dimension, bucket);
  return { schema: 'retrieval', table, name: `${table}_hnsw`, using: 'hnsw (embedding vector_ip_ops)' };
};

/**
 * The partitions of a bucket with the indexes that are created while they are empty. BM25 uses statistics of a
 * whole index, so each group has its own index. There is no such index where another engine ranks words. The terms are
 * already analysed: the engine only splits at spaces.
 */
export const partitionsOf = (bucket: Bucket, dimension: number, ranksWords = true): readonly Partition[] => {
  const key = { column: 'bucket', value: bucket };
  return [
    {
      schema: 'retrieval',
      parent: 'chunk',
      name: chunkTable(bucket),
      key,
      indexes: ranksWords
        ? [
            `create index ${lexicalIndex(bucket)} on retrieval.${chunkTable(bucket)} using bm25 (terms) with (text_config = 'simple', k1 = 1.2, b = 0.75)`,
          ]
        : [],
      readableByApp: true,
    },
    {
      schema: 'retrieval',
      parent: `vector_${dimension}`,
      name: vectorTable(dimension, bucket),
      key,
      indexes: [],
      readableByApp: true,
    },
  ];
};
