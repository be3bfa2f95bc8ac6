import { Injectable } from '@nestjs/common';
import type { FolderNotice, IgnoredEntries, IngestionProgress } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
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
const MOST_NOTICES = 100;

/** The latest finished scan of each root. */
const SCANS = `select l.root_path as folder, r.summary from ingestion.location l cross join lateral (
    select summary from ingestion.run where group_id = $1 and location_code = l.code and summary is not null
    order by run desc limit 1) r
  where l.group_id = $1 and l.root_path is not null and l.deleted_at is null`;

/** The progress of the documents of a group. */
@Injectable()
export class ProgressStore {
  constructor(private readonly database: BackgroundDatabase) {}

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
        ...(await this.latestScans(tx)),
      };
    });
  }

  private async latestScans(tx: Transaction): Promise<Pick<IngestionProgress, 'ignored' | 'notices'>> {
    const ignored = await tx.query<IgnoredEntries>(
      `select i ->> 'rule' as rule, sum((i ->> 'entries')::int)::int as entries
       from (${SCANS}) scan, jsonb_array_elements(scan.summary -> 'ignored') i group by 1 order by 2 desc, 1`,
      [tx.groupId],
    );
    const notices = await tx.query<FolderNotice>(
      `select folder, summary ->> 'notice' as notice, coalesce((summary ->> 'doubted')::int, 0) as doubted,
         coalesce((summary ->> 'unread')::int, 0) as unread,
         coalesce((summary ->> 'unmounted')::int, 0) as unmounted
       from (${SCANS}) scan where summary ->> 'notice' is not null
       order by folder collate "C" limit ${MOST_NOTICES}`,
      [tx.groupId],
    );
    return { ignored, notices };
  }
}
