import { type BatchItem, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { work } from '../kernel/work-sql';

/** A document of a batch with the work on it. */
export interface BatchRow extends BatchItem {
  readonly id: string;
}

const STEPS = work.tally({
  group: 'd.group_id',
  subject: 'd.document_id',
  stages: pipelineOrder.processes.map(({ stage }) => stage),
});

/** Runs of skills over a document that users requested; no batch waits for others. */
const RUNS = `select coalesce(sum(k.waiting), 0)::int as waiting, coalesce(sum(k.failed), 0)::int as failed
  from ingestion.document_skill s cross join lateral (${work.tally({ group: 's.group_id', subject: 's.work_id' })}) k
  where s.group_id = d.group_id and s.document_id = d.document_id and s.requested_by is not null`;

/** The documents of a batch by code. @throws NotFound for any absent or invisible one: one query, one answer */
export const readBatch = async (
  tx: Transaction,
  visibility: Visibility,
  codes: readonly string[],
): Promise<BatchRow[]> => {
  const visible = visibilitySql(visibility, 'd', 2);
  const rows = await tx.query<BatchRow>(
    `select d.document_id as id, d.code as "documentCode", d.status, d.reason, w.waiting + r.waiting as waiting,
       w.failed + r.failed as failed
     from ingestion.document d cross join lateral (${STEPS}) w cross join lateral (${RUNS}) r
     where d.code = any($1::text[]) and d.deleted_at is null and ${visible.sql} order by d.code collate "C"`,
    [codes, ...visible.params],
  );
  if (rows.length < new Set(codes).size) throw new NotFound();
  return rows;
};
