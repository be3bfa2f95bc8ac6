import type { Partition } from '@acervo/platform-database';

/** A whole number that names the partitions of a group. */
export type Bucket = number;

export const chunkTable = (bucket: Bucket): string => `chunk_${bucket}`;
export const lexicalIndex = (bucket: Bucket): string => `chunk_${bucket}_bm25`;
export const vectorTable = (dimension: number, bucket: Bucket): string => `vector_${dimension}_${bucket}`;

/**
 * The partitions of a bucket with their indexes, which are created while they are empty. BM25 uses statistics of a
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
      indexes: [
        `create index ${vectorTable(dimension, bucket)}_hnsw on retrieval.${vectorTable(dimension, bucket)} using hnsw (embedding vector_ip_ops)`,
      ],
      readableByApp: true,
    },
  ];
};
