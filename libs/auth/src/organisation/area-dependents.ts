import type { SelectedRows, Selection, Transaction } from '@acervo/platform-database';

/** What depends on an area within this service. */
export interface OwnAreaCounts {
  readonly areas: number;
  readonly users: number;
  readonly keys: number;
  readonly locations: number;
}

/** Users and keys that reach an area: `$1` is the group, `$2` the area. */
export const holdersOfArea: Readonly<Record<'users' | 'keys', SelectedRows>> = {
  users: { from: 'auth.user_entity u', where: 'u.group_id = $1 and u.area_code = $2' },
  keys: { from: 'auth.api_key k', where: 'k.group_id = $1 and k.fixed_area = $2 and k.revoked_at is null' },
};

/** By these rows a deletion of an area is refused; its preview counts them. */
export const selectAffected = ({ groupId }: Transaction, areaCode: string): Selection<keyof OwnAreaCounts> => ({
  rows: {
    areas: { from: 'auth.area c', where: 'c.group_id = $1 and c.parent_code = $2' },
    ...holdersOfArea,
    locations: { from: 'auth.area_location l', where: 'l.group_id = $1 and l.area_code = $2' },
  },
  params: [groupId, areaCode],
});
