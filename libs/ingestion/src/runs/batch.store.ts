import { type BatchItem, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { work } from '../kernel/work-sql';

/** A document of a batch with the work on it. */
export interface BatchRow extends BatchItem {
  readonly id: string;
}

const WORK = work.tally({
  group: 'd.group_id',
  subject: 'd.document_id',
  stages: pipelineOrder.processes.map(({ stage }) => stage),
});

/** The documents of a batch by code. @throws NotFound for any absent or invisible one: one query, one answer */
export const readBatch = async (
  tx: Transaction,
  visibility: Visibility,
  codes: readonly string[],
): Promise<BatchRow[]> => {
  const visible = visibilitySql(visibility, 'd', 2);
  const rows = await tx.query<BatchRow>(
    `select d.document_id as id, d.code as "documentCode", d.status, d.reason, w.waiting, w.failed
     from ingestion.document d cross join lateral (${WORK}) w
     where d.code = any($1::text[]) and d.deleted_at is null and ${visible.sql} order by d.code collate "C"`,
    [codes, ...visible.params],
  );
  if (rows.length < new Set(codes).size) throw new NotFound();
  return rows;
};
