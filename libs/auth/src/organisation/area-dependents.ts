import type { Transaction } from '@acervo/platform-database';
import { onlyRow } from '../users/violations';

/** What depends on an area within this service. */
export interface OwnAreaCounts {
  readonly areas: number;
  readonly users: number;
  readonly keys: number;
  readonly locations: number;
}

const COUNTS = `select
  (select count(*)::int from auth.area c where c.group_id = $1 and c.parent_code = $2) as areas,
  (select count(*)::int from auth.user_entity u where u.group_id = $1 and u.area_code = $2) as users,
  (select count(*)::int from auth.api_key k where k.group_id = $1 and k.fixed_area = $2 and k.revoked_at is null) as keys,
  (select count(*)::int from auth.area_location l where l.group_id = $1 and l.area_code = $2) as locations`;

/** The one query by which a deletion is refused and by which it is foreseen. */
export const countOwnOfArea = async (tx: Transaction, code: string): Promise<OwnAreaCounts> =>
  onlyRow(await tx.query<OwnAreaCounts>(COUNTS, [tx.groupId, code]));
