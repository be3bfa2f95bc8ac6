import type { Transaction } from '@acervo/platform-database';

/**
 * Of a row `d` of `ingestion.document`: its file is not read any longer, or is not there. It keeps its last text for a
 * time; nothing is quoted from it.
 */
export const IS_GONE = `d.status in ('NO_SOPORTADO', 'NO_ENCONTRADO')`;

/** Locks documents against their deletion; whether all of them are there. */
export const lockDocuments = async (tx: Transaction, ids: readonly string[]): Promise<boolean> => {
  const rows = await tx.query(
    `select from ingestion.document where group_id = $1 and document_id = any($2::uuid[]) and deleted_at is null
     order by document_id for share`,
    [tx.groupId, ids],
  );
  return rows.length === ids.length;
};
