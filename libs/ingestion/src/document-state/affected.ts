import type { DocumentEffect } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { work } from '../kernel/work-sql';

/** Which attachments of a document a change affects, as a condition on `d`; null: none. */
export const takenAlong = {
  delete: 'd.deleted_at is null',
  reportMissing: `d.deleted_at is null and d.status <> 'NO_ENCONTRADO'`,
  revert: null,
} as const;

/** The ids of the documents that a change of one affects: itself, and its attachments at any depth. */
export const selectAffected = async (
  tx: Transaction,
  documentId: string,
  change: keyof typeof takenAlong,
): Promise<string[]> => {
  const condition = takenAlong[change];
  if (condition === null) return [documentId];
  const rows = await tx.query<{ documentId: string }>(
    `with recursive carried as (
       select document_id, status, deleted_at from ingestion.document where group_id = $1 and parent_id = $2
       union all
       select c.document_id, c.status, c.deleted_at from ingestion.document c
       join carried on c.parent_id = carried.document_id where c.group_id = $1)
     select d.document_id as "documentId" from carried d where ${condition}`,
    [tx.groupId, documentId],
  );
  return [documentId, ...rows.map((row) => row.documentId)];
};

/** Counts affected documents, their passages that are searched, and their waiting work. */
export const countEffect = async (tx: Transaction, affected: readonly string[]): Promise<DocumentEffect> => {
  const [effect] = await tx.query<DocumentEffect>(
    `select count(*)::int as documents, coalesce(sum(indexed_chunks), 0)::int as chunks,
       ${work.countOpen({ group: '$1', subject: { any: '$2' } })} as waiting
     from ingestion.document where group_id = $1 and document_id = any($2::uuid[])`,
    [tx.groupId, affected],
  );
  return effect ?? { documents: 0, chunks: 0, waiting: 0 };
};
