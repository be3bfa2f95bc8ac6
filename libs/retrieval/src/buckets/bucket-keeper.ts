import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, Provisioner, type TenantScope, type Transaction } from '@acervo/platform-database';
import { ChunkCopies } from '../legs/opensearch/copies/chunk-copies';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { type Bucket, chunkTable, GRAPH_FROM, partitionsOf, vectorGraph, vectorTable } from '../kernel/bucket';

const FIRST_ANALYSIS = 100;
/** A bucket is checked again when it has grown by this part of its maximum; statistics are renewed that much later. */
const LOOK_AGAIN = 1 / 16;

const bucketOf = async (tx: Transaction): Promise<Bucket> => {
  const { groupId } = tx;
  await tx.query(`insert into retrieval.bucket_catalogue (group_id) values ($1) on conflict (group_id) do nothing`, [
    groupId,
  ]);
  const sql = `select bucket from retrieval.bucket_catalogue where group_id = $1`;
  const [row] = await tx.query<{ bucket: Bucket }>(sql, [groupId]);
  if (row === undefined) throw new Error('A bucket was numbered and cannot be seen.');
  return row.bucket;
};

/**
 * Creates the partitions of a group before its first embedding index. While they grow, it renews their statistics and
 * creates the vector graph.
 */
@Injectable()
export class BucketKeeper {
  private readonly made = new Set<string>();
  /** Chunks that were loaded since the last check of a bucket, by bucket. */
  private readonly came = new Map<number, number>();
  /** Embedding indexes whose vector graph exists. */
  private readonly graphs = new Set<string>();

  constructor(
    private readonly provisioner: Provisioner,
    private readonly database: BackgroundDatabase,
    private readonly copies: ChunkCopies,
  ) {}

  /** Numbers the bucket of a group and creates its partitions for vectors of a dimension, unless they exist. */
  async prepare(scope: TenantScope, dimension: number): Promise<void> {
    const name = `${scope.groupId}:${dimension}`;
    if (this.made.has(name)) return;
    const bucket = await this.database.write(scope, (tx) => bucketOf(tx));
    // Without copies, the database ranks words as well.
    for (const partition of partitionsOf(bucket, dimension, !this.copies.isEnabled))
      await this.provisioner.ensurePartition(partition);
    this.made.add(name);
  }

  /** Counts the chunks of every loaded document; checks the bucket once they are enough. */
  async grown(scope: TenantScope, embeddingIndex: LiveEmbeddingIndex, chunks: number): Promise<void> {
    const came = (this.came.get(embeddingIndex.bucket) ?? embeddingIndex.mostChunks) + chunks;
    const isWorthALook = came >= embeddingIndex.mostChunks * LOOK_AGAIN;
    this.came.set(embeddingIndex.bucket, isWorthALook ? 0 : came);
    if (isWorthALook) await this.look(scope, embeddingIndex);
  }

  /** What a bucket needs for its number of chunks: newer statistics, a vector graph. */
  async look(scope: TenantScope, embeddingIndex: LiveEmbeddingIndex): Promise<void> {
    await this.analyseGrown(scope, embeddingIndex);
    await this.graphLarge(scope, embeddingIndex);
  }

  /** Creates the graph in one piece: each later vector is inserted into it. */
  private async graphLarge(scope: TenantScope, embeddingIndex: LiveEmbeddingIndex): Promise<void> {
    const { indexId, dimension, bucket, mostChunks } = embeddingIndex;
    const graph = vectorGraph(dimension, bucket);
    if (mostChunks < GRAPH_FROM || this.graphs.has(graph.name)) return;
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<{ chunks: number }>(
        `select coalesce(sum(chunk_count), 0)::int as chunks from retrieval.live where group_id = $1 and space_id = $2`,
        [scope.groupId, indexId],
      ),
    );
    if ((row?.chunks ?? 0) < GRAPH_FROM) return;
    if (await this.provisioner.ensureIndex(graph)) this.graphs.add(graph.name);
  }

  /**
   * Renews statistics after the first hundred chunks and whenever their number has doubled: the engine never does this
   * by itself.
   */
  private async analyseGrown(scope: TenantScope, embeddingIndex: LiveEmbeddingIndex): Promise<void> {
    const due = await this.database.write(scope, async (tx) => {
      const rows = await tx.query(
        `with held as (select coalesce(sum(chunk_count), 0) as chunks from retrieval.live where group_id = $1)
         update retrieval.bucket_catalogue b set analysed_rows = held.chunks from held
         where b.group_id = $1 and b.bucket = $2 and held.chunks >= greatest($3, 2 * b.analysed_rows) returning b.bucket`,
        [scope.groupId, embeddingIndex.bucket, FIRST_ANALYSIS],
      );
      return rows.length > 0;
    });
    if (!due) return;
    for (const table of [
      chunkTable(embeddingIndex.bucket),
      vectorTable(embeddingIndex.dimension, embeddingIndex.bucket),
      'live',
      'document',
    ])
      await this.provisioner.analyze(`retrieval.${table}`);
  }
}
