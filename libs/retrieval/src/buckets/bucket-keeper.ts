import type { Database, Provisioner, TenantScope } from '@acervo/platform-database';
import type { LiveSpace } from '../spaces/space.store';
import { chunkTable, partitionsOf, vectorTable } from './bucket';

const FIRST_ANALYSIS = 100;

/** Makes the partitions of a group at its first hand-over and keeps their statistics while they grow. */
export class BucketKeeper {
  private readonly made = new Set<string>();

  constructor(
    private readonly provisioner: Provisioner,
    private readonly database: Database,
    /** Whether the database ranks words, too. */
    private readonly ranksWords: boolean,
  ) {}

  async ensure(space: LiveSpace): Promise<void> {
    const name = `${space.bucket}:${space.dimension}`;
    if (this.made.has(name)) return;
    for (const partition of partitionsOf(space.bucket, space.dimension, this.ranksWords))
      await this.provisioner.ensurePartition(partition);
    this.made.add(name);
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
