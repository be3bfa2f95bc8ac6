import type { IngestionProgress } from '@acervo/contracts';
import type { Database, TenantScope } from '@acervo/platform-database';
import type { DocumentStatus } from '@acervo/public-mapping';

/** States that a document leaves by itself. */
const ON_ITS_WAY: readonly DocumentStatus[] = [
  'DETECTADO',
  'ADQUIRIDO',
  'EXTRAIDO',
  'CLASIFICADO',
  'RESUMIDO',
  'FRAGMENTADO',
];
const LATEST = 50;

/** How far the documents of a group are. */
export class ProgressStore {
  constructor(private readonly database: Database) {}

  async read(scope: TenantScope): Promise<IngestionProgress> {
    return this.database.read(scope, async (tx) => {
      const states = await tx.query<{ status: DocumentStatus; documents: number; chunks: number }>(
        `select status, count(*)::int as documents, coalesce(sum(indexed_chunks), 0)::int as chunks
         from ingestion.document where group_id = $1 and deleted_at is null group by status order by status`,
        [scope.groupId],
      );
      const failures = await tx.query<IngestionProgress['failures'][number]>(
        `select path, status, coalesce(reason, '') as reason from ingestion.document
         where group_id = $1 and deleted_at is null and status in ('ERROR', 'NO_SOPORTADO')
         order by updated_at desc, path collate "C" limit ${LATEST}`,
        [scope.groupId],
      );
      return {
        counts: states.map(({ status, documents }) => ({ status, documents })),
        waiting: states
          .filter(({ status }) => ON_ITS_WAY.includes(status))
          .reduce((sum, { documents }) => sum + documents, 0),
        chunks: states.reduce((sum, { chunks }) => sum + chunks, 0),
        failures,
      };
    });
  }
}
