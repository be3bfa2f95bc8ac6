import type { Database, Provisioner, TenantScope, Transaction } from '@acervo/platform-database';
import type { LiveSpace } from '../spaces/space.store';
import { type Bucket, chunkTable, partitionsOf, vectorTable } from './bucket';

const FIRST_ANALYSIS = 100;
/** A bucket is looked at again when it has grown by this part of what it may hold: statistics come that much later. */
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

/** Makes the partitions of a group before its first space and keeps their statistics while they grow. */
export class BucketKeeper {
  private readonly made = new Set<string>();
  /** Chunks that came since a bucket was looked at, by bucket. */
  private readonly came = new Map<number, number>();

  constructor(
    private readonly provisioner: Provisioner,
    private readonly database: Database,
    /** Whether the database ranks words, too. */
    private readonly ranksWords: boolean,
  ) {}

  /** Numbers the bucket of a group and makes its partitions for vectors of a dimension, unless they are there. */
  async prepare(scope: TenantScope, dimension: number): Promise<void> {
    const name = `${scope.groupId}:${dimension}`;
    if (this.made.has(name)) return;
    const bucket = await this.database.write(scope, (tx) => bucketOf(tx));
    for (const partition of partitionsOf(bucket, dimension, this.ranksWords))
      await this.provisioner.ensurePartition(partition);
    this.made.add(name);
  }

  /** Told of every document that was loaded; looks at the bucket when it is worth it. */
  async grown(scope: TenantScope, space: LiveSpace, chunks: number): Promise<void> {
    const came = (this.came.get(space.bucket) ?? space.mostChunks) + chunks;
    const isWorthALook = came >= space.mostChunks * LOOK_AGAIN;
    this.came.set(space.bucket, isWorthALook ? 0 : came);
    if (isWorthALook) await this.analyseGrown(scope, space);
  }

  /** Renews statistics after the first hundred chunks and whenever their number has doubled: the engine does not by itself. */
  async analyseGrown(scope: TenantScope, space: LiveSpace): Promise<void> {
    const due = await this.database.write(scope, async (tx) => {
      const rows = await tx.query(
        `with held as (select coalesce(sum(chunk_count), 0) as chunks from retrieval.live where group_id = $1)
         update retrieval.bucket_catalogue b set analysed_rows = held.chunks from held
         where b.group_id = $1 and b.bucket = $2 and held.chunks >= greatest($3, 2 * b.analysed_rows) returning b.bucket`,
        [scope.groupId, space.bucket, FIRST_ANALYSIS],
      );
      return rows.length > 0;
    });
    if (!due) return;
    for (const table of [chunkTable(space.bucket), vectorTable(space.dimension, space.bucket), 'live', 'document'])
      await this.provisioner.analyze(`retrieval.${table}`);
  }
}
