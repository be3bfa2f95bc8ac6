import type { DependencyCount } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { onlyRow } from './violations';

/** What hangs on a user and goes with it, by table. The database deletes it; a test holds this list to its keys. */
export const dependents = [
  { kind: 'roles', table: 'user_role' },
  { kind: 'entidades', table: 'user_entity' },
  { kind: 'claves_api', table: 'api_key' },
  { kind: 'sesiones', table: 'session' },
  { kind: 'factores', table: 'factor' },
] as const;

/** Part of the account itself: not counted beside it. */
export const ownRows = ['login_directory', 'password', 'action_token'] as const;

const COUNTS = dependents
  .map(
    ({ kind, table }) =>
      `(select count(*)::int from auth.${table} d where d.group_id = $1 and d.user_id = $2) as "${kind}"`,
  )
  .join(', ');

/** Keys of others that the user made: each works only while whoever made it may make it. */
const MADE_FOR_OTHERS = `(select count(*)::int from auth.api_key d where d.group_id = $1 and d.created_by = $2
  and d.created_in is null and d.user_id <> $2 and d.revoked_at is null) as claves_de_otros`;

/** Counts of all that the deletion of a user takes along, and of the keys of others that it ends. */
export const countDependents = async (tx: Transaction, userId: string): Promise<readonly DependencyCount[]> => {
  const counts = await tx.query<Record<string, number>>(`select ${COUNTS}, ${MADE_FOR_OTHERS}`, [tx.groupId, userId]);
  const row = onlyRow(counts);
  const kinds = [...dependents.map(({ kind }) => kind), 'claves_de_otros' as const];
  return kinds.map((kind) => ({ kind, count: row[kind] ?? 0 }));
};
