import { type EntityRemovalPreview, MOST_ENTITIES, TooManyEntities, type UserEntityItem } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { PeopleConflict } from '../users/refusals';
import { onlyRow, uniquely } from '../users/violations';

const ITEMS = `
select e.code as "entityCode", e.name, ue.area_code as "areaCode", a.name as "areaName"
from auth.user_entity ue
join auth.entity e on e.group_id = ue.group_id and e.code = ue.entity_code
left join auth.area a on a.group_id = ue.group_id and a.code = ue.area_code
where ue.group_id = $1 and ue.user_id = $2`;

/** Entities of users, whole or one area of them. */
export class UserEntityStore {
  async list(tx: Transaction, userId: string): Promise<readonly UserEntityItem[]> {
    return tx.query<UserEntityItem>(`${ITEMS} order by e.code`, [tx.groupId, userId]);
  }

  async get(tx: Transaction, userId: string, entityCode: string): Promise<UserEntityItem> {
    return onlyRow(
      await tx.query<UserEntityItem>(`${ITEMS} and ue.entity_code = $3`, [tx.groupId, userId, entityCode]),
    );
  }

  /**
   * Assigns an entity. @throws NotFound for an entity, or an area of it, that the group lacks; PeopleConflict when held;
   * TooManyEntities for one more than a scope carries.
   */
  async add(tx: Transaction, userId: string, entityCode: string, areaCode: string | null): Promise<void> {
    const made = await uniquely(new PeopleConflict('ENTITY_HELD_ALREADY'), () =>
      tx.query(
        `insert into auth.user_entity (group_id, user_id, entity_code, area_code)
         select e.group_id, $2, e.code, $4 from auth.entity e where e.group_id = $1 and e.code = $3
           and ($4::text is null or exists (select from auth.area a where a.group_id = $1 and a.code = $4 and a.entity_code = e.code))
         returning entity_code`,
        [tx.groupId, userId, entityCode, areaCode],
      ),
    );
    onlyRow(made);
    const [held] = await tx.query<{ entities: number }>(
      'select count(*)::int as entities from auth.user_entity where group_id = $1 and user_id = $2',
      [tx.groupId, userId],
    );
    if ((held?.entities ?? 0) > MOST_ENTITIES) throw new TooManyEntities();
  }

  /** Takes an entity away, and with it a start in it. @throws NotFound when the user does not have it. */
  async remove(tx: Transaction, userId: string, entityCode: string): Promise<void> {
    onlyRow(
      await tx.query(
        `delete from auth.user_entity where group_id = $1 and user_id = $2 and entity_code = $3 returning entity_code`,
        [tx.groupId, userId, entityCode],
      ),
    );
    await tx.query(
      `update auth.app_user set default_entity = null, default_area = null
       where group_id = $1 and user_id = $2 and default_entity = $3`,
      [tx.groupId, userId, entityCode],
    );
  }

  /** What a user would lose together with an entity. */
  async losses(
    tx: Transaction,
    userId: string,
    entityCode: string,
  ): Promise<Omit<EntityRemovalPreview, 'code' | 'entityCode'>> {
    const counted = await tx.query<Omit<EntityRemovalPreview, 'code' | 'entityCode'>>(
      `select (select count(*)::int from auth.api_key k where k.group_id = $1 and k.user_id = $2 and k.fixed_entity = $3
           and k.revoked_at is null) as "fixedKeys",
         coalesce(u.default_entity = $3, false) as "isDefault",
         (select count(*)::int from auth.user_entity e where e.group_id = $1 and e.user_id = $2 and e.entity_code <> $3) as remaining
       from auth.app_user u where u.group_id = $1 and u.user_id = $2`,
      [tx.groupId, userId, entityCode],
    );
    return onlyRow(counted);
  }

  /** @throws NotFound where somebody would start in an entity that is not theirs, or in an area outside of it. */
  async assertStart(
    tx: Transaction,
    userId: string,
    entityCode: string | null,
    areaCode: string | null,
  ): Promise<void> {
    if (entityCode === null && areaCode === null) return;
    onlyRow(
      await tx.query(
        `select ue.entity_code from auth.user_entity ue where ue.group_id = $1 and ue.user_id = $2 and ue.entity_code = $3
           and ($4::text is null or exists (select from auth.area a
             where a.group_id = $1 and a.code = $4 and a.entity_code = ue.entity_code))`,
        [tx.groupId, userId, entityCode, areaCode],
      ),
    );
  }
}
