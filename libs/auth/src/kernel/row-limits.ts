import type { Transaction } from '@acervo/platform-database';
import { PeopleConflict } from './auth.errors';

/**
 * About the most rows of one group in a table: one group does not fill what all groups share. Revoked keys count.
 * Transactions at the same time do not see each other's rows and may pass a limit by one each, which is harmless; a lock
 * would have every creation of a group wait for the one before it.
 */
export const rowLimits = {
  app_user: 100_000,
  group_role: 20_000,
  entity: 20_000,
  area: 50_000,
  api_key: 50_000,
};

/** Counts no further than the limit. @throws PeopleConflict where the group has as many rows as it may */
export const assertRoom = async (tx: Transaction, table: keyof typeof rowLimits): Promise<void> => {
  const most = rowLimits[table];
  const counted = await tx.query<{ rows: number }>(
    `select count(*)::int as rows from (select from auth.${table} where group_id = $1 limit $2) t`,
    [tx.groupId, most],
  );
  if ((counted[0]?.rows ?? 0) >= most) throw new PeopleConflict('GROUP_IS_FULL', { most });
};
