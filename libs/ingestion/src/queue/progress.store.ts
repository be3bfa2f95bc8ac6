import { Injectable } from '@nestjs/common';
import type { FolderNotice, IgnoredEntries, IngestionProgress } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import type { DocumentStatus } from '@acervo/public-mapping';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { QUOTA } from '../kernel/stages';
import { work } from '../kernel/work-sql';

/** It is found by its words, and no embedder makes its vectors now. */
const RESTS_WITHOUT_VECTORS = `d.status = 'FRAGMENTADO' and d.indexed_generation = d.generation
  and d.vectors_object is null and not ${work.hasUntried({ group: 'd.group_id', subject: 'd.document_id' })}`;

/** It waits for pages of the plan. */
const RESTS_WITHOUT_PAGES = `d.status = 'RESUMIDO' and d.reason = '${QUOTA}'`;

const LATEST = 50;
const MOST_NOTICES = 100;

/** The latest finished scan of each root. */
const SCANS = `select l.root_path as folder, r.summary from ingestion.location l cross join lateral (
    select summary from ingestion.run where group_id = $1 and location_code = l.code and summary is not null
    order by run desc limit 1) r
  where l.group_id = $1 and l.root_path is not null and l.deleted_at is null`;

interface StateRow {
  readonly status: DocumentStatus;
  readonly documents: number;
  readonly chunks: number;
  readonly searchable: number;
  readonly waiting: number;
}

/** The progress of the documents of a group. */
@Injectable()
export class ProgressStore {
  constructor(private readonly database: BackgroundDatabase) {}

  async read(scope: TenantScope): Promise<IngestionProgress> {
    return this.database.read(scope, async (tx) => {
      const states = await tx.query<StateRow>(
        `select d.status, count(*)::int as documents, coalesce(sum(d.indexed_chunks), 0)::int as chunks,
           count(d.indexed_chunks)::int as searchable,
           (count(*) filter (where d.status = any($2::text[]) and not (${RESTS_WITHOUT_VECTORS})
             and not (${RESTS_WITHOUT_PAGES})))::int as waiting
         from ingestion.document d where d.group_id = $1 and d.deleted_at is null group by d.status order by d.status`,
        [scope.groupId, pipelineOrder.states],
      );
      const total = (pick: (row: StateRow) => number): number => states.reduce((sum, row) => sum + pick(row), 0);
      const failures = await tx.query<IngestionProgress['failures'][number]>(
        `select path, status, coalesce(reason, '') as reason from ingestion.document
         where group_id = $1 and deleted_at is null and status in ('ERROR', 'NO_SOPORTADO')
         order by updated_at desc, path collate "C" limit ${LATEST}`,
        [scope.groupId],
      );
      return {
        counts: states.map(({ status, documents }) => ({ status, documents })),
        waiting: total(({ waiting }) => waiting),
        searchable: total(({ searchable }) => searchable),
        chunks: total(({ chunks }) => chunks),
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
