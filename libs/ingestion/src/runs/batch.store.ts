import { type BatchItem, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { documentStages } from '../pipeline/stages';

/** A document of a batch with the work on it. */
export interface BatchRow extends BatchItem {
  readonly id: string;
}

const WORK = `select count(*) filter (where t.status in ('WAITING', 'LEASED'))::int as waiting,
  count(*) filter (where t.status = 'FAILED')::int as failed from ingestion.task t
  where t.group_id = d.group_id and t.subject_id = d.document_id and t.stage = any($2::text[])`;

/** The documents of a batch by code. @throws NotFound unless each of them is there and visible: one query, one answer. */
export const readBatch = async (
  tx: Transaction,
  visibility: Visibility,
  codes: readonly string[],
): Promise<BatchRow[]> => {
  const visible = visibilitySql(visibility, 'd', 3);
  const rows = await tx.query<BatchRow>(
    `select d.document_id as id, d.code as "documentCode", d.status, d.reason, w.waiting, w.failed
     from ingestion.document d cross join lateral (${WORK}) w
     where d.code = any($1::text[]) and d.deleted_at is null and ${visible.sql} order by d.code collate "C"`,
    [codes, documentStages.map(({ name }) => name), ...visible.params],
  );
  if (rows.length < new Set(codes).size) throw new NotFound();
  return rows;
};
