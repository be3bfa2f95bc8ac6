import { type LocationEffect, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';

/** What a root holds: the one query by which a deletion is foreseen, and of which it tells. */
const HELD = `select l.code as "locationCode",
  (select count(*)::int from ingestion.location b
    where b.group_id = l.group_id and b.root_code = l.code and b.removed_at is null) as locations,
  count(d.document_id)::int as documents, coalesce(sum(d.indexed_chunks), 0)::int as chunks,
  (select count(*)::int from ingestion.task t where t.group_id = l.group_id and t.status in ('WAITING', 'LEASED')
    and t.subject_id in (select w.document_id from ingestion.document w
      where w.group_id = l.group_id and w.root_code = l.code and w.deleted_at is null)) as waiting
  from ingestion.location l
  left join ingestion.document d on d.group_id = l.group_id and d.root_code = l.code and d.deleted_at is null
  where l.code = $1 and l.root_path is not null and l.deleted_at is null`;

/** What of a deletion this service counts itself. */
export type OwnEffect = Omit<LocationEffect, 'areas'>;

/** Folders that others are asked about. */
const MOST_ASKED = 10_000;

/** @throws NotFound for a root that is absent, invisible or deleted. */
export const countHeld = async (tx: Transaction, visibility: Visibility, code: string): Promise<OwnEffect> => {
  const visible = visibilitySql(visibility, 'l', 2);
  const [effect] = await tx.query<OwnEffect>(`${HELD} and ${visible.sql} group by l.group_id, l.code`, [
    code,
    ...visible.params,
  ]);
  if (effect === undefined) throw new NotFound();
  return effect;
};

/** The codes of a root and of what lies below it. */
export const codesBelow = async (tx: Transaction, code: string): Promise<string[]> => {
  const rows = await tx.query<{ code: string }>(
    `select code from ingestion.location where group_id = $1 and root_code = $2
     order by cardinality(location_ancestors), code limit ${MOST_ASKED}`,
    [tx.groupId, code],
  );
  return rows.map((row) => row.code);
};

/** Takes a root with everything below it out of every list. Its documents and the telling of it follow. */
export const markDeleted = async (tx: Transaction, code: string): Promise<void> => {
  await tx.query(
    `update ingestion.location set deleted_at = now(), removed_at = coalesce(removed_at, now())
     where group_id = $1 and root_code = $2 and deleted_at is null`,
    [tx.groupId, code],
  );
};
