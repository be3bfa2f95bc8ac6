import type { LocationEffect } from '@acervo/contracts';
import type { Selection, Transaction } from '@acervo/platform-database';
import { work } from '../kernel/work-sql';

/**
 * The documents and folders of a root. The preview of its deletion counts these rows; the deletion marks the locations,
 * and its stage deletes the documents. Links of areas to any of the folders are deleted too, including those to folders
 * removed before.
 */
export const selectAffected = (
  { groupId }: Transaction,
  code: string,
): Selection<'folders' | 'locations' | 'documents'> => {
  const from = 'ingestion.location l';
  const isBelow = 'l.group_id = $1 and l.root_code = $2';
  return {
    rows: {
      folders: { from, where: isBelow },
      locations: { from, where: `${isBelow} and l.deleted_at is null` },
      documents: {
        from: 'ingestion.document d',
        where: 'd.group_id = $1 and d.root_code = $2 and d.deleted_at is null',
      },
    },
    params: [groupId, code],
  };
};

/** The part of the effect of a deletion that this service counts itself. */
export type OwnEffect = Omit<LocationEffect, 'areas'>;

/** Most folders whose links are counted. */
const MOST_ASKED = 10_000;

/** Counts the rows of a root; removed folders are in no list, and are not counted. */
export const countAffected = async (tx: Transaction, code: string): Promise<OwnEffect> => {
  const { rows, params } = selectAffected(tx, code);
  const locations = `from ${rows.locations.from} where ${rows.locations.where}`;
  const documents = `from ${rows.documents.from} where ${rows.documents.where}`;
  const [effect] = await tx.query<Omit<OwnEffect, 'locationCode'>>(
    `select (select count(*)::int ${locations} and l.removed_at is null) as locations,
       count(*)::int as documents, coalesce(sum(d.indexed_chunks), 0)::int as chunks,
       ${work.countOpen({ group: '$1', subject: { in: `select d.document_id ${documents}` } })} as waiting
     ${documents}`,
    params,
  );
  return { locationCode: code, ...(effect ?? { locations: 0, documents: 0, chunks: 0, waiting: 0 }) };
};

/** The codes of a root and of the folders below it. */
export const codesBelow = async (tx: Transaction, code: string): Promise<string[]> => {
  const { rows, params } = selectAffected(tx, code);
  const found = await tx.query<{ code: string }>(
    `select l.code from ${rows.folders.from} where ${rows.folders.where}
     order by cardinality(l.location_ancestors), l.code limit ${MOST_ASKED}`,
    params,
  );
  return found.map((row) => row.code);
};

/**
 * Removes a root with everything below it from every list. Deleting its documents and publishing its folders follow.
 */
export const markDeleted = async (tx: Transaction, code: string): Promise<void> => {
  const { rows, params } = selectAffected(tx, code);
  await tx.query(
    `update ${rows.locations.from} set deleted_at = now(), removed_at = coalesce(removed_at, now())
     where ${rows.locations.where}`,
    params,
  );
};
