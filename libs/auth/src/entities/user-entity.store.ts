import { Injectable } from '@nestjs/common';
import { type EntityRemovalPreview, MOST_ENTITIES, TooManyEntities, type UserEntityItem } from '@acervo/contracts';
import {
  countSelected,
  onlyRow,
  type SelectedRows,
  type Selection,
  type Transaction,
  uniquely,
} from '@acervo/platform-database';
import { PeopleConflict } from '../kernel/auth.errors';

const ITEMS = `
select e.code as "entityCode", e.name, ue.area_code as "areaCode", a.name as "areaName"
from auth.user_entity ue
join auth.entity e on e.group_id = ue.group_id and e.code = ue.entity_code
left join auth.area a on a.group_id = ue.group_id and a.code = ue.area_code
where ue.group_id = $1 and ue.user_id = $2`;

/** Entities of users, whole or one area of them. */
@Injectable()
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
   * Assigns an entity. @throws NotFound for an entity, or an area of it, that the group lacks; PeopleConflict for an
   * entity that the user already has; TooManyEntities beyond the number that a scope carries.
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
    const [counts] = await tx.query<{ entities: number }>(
      'select count(*)::int as entities from auth.user_entity where group_id = $1 and user_id = $2',
      [tx.groupId, userId],
    );
    if ((counts?.entities ?? 0) > MOST_ENTITIES) throw new TooManyEntities();
  }

  /** A removal deletes the assignment and clears the start; fixed keys stop working, and the remaining entities stay. */
  selectAffected(
    { groupId }: Transaction,
    userId: string,
    entityCode: string,
  ): Selection<'assignments' | 'starts' | 'fixedKeys' | 'remaining'> {
    const ofUser = (from: string, condition: string): SelectedRows => ({
      from: `${from} d`,
      where: `d.group_id = $1 and d.user_id = $2 and ${condition}`,
    });
    return {
      rows: {
        assignments: ofUser('auth.user_entity', 'd.entity_code = $3'),
        starts: ofUser('auth.app_user', 'd.default_entity = $3'),
        fixedKeys: ofUser('auth.api_key', 'd.fixed_entity = $3 and d.revoked_at is null'),
        remaining: ofUser('auth.user_entity', 'd.entity_code <> $3'),
      },
      params: [groupId, userId, entityCode],
    };
  }

  /** Takes an entity away, and with it a start in it. @throws NotFound when the user does not have it. */
  async remove(tx: Transaction, userId: string, entityCode: string): Promise<void> {
    const { rows, params } = this.selectAffected(tx, userId, entityCode);
    const { assignments, starts } = rows;
    onlyRow(
      await tx.query(`delete from ${assignments.from} where ${assignments.where} returning d.entity_code`, params),
    );
    await tx.query(
      `update ${starts.from} set default_entity = null, default_area = null where ${starts.where}`,
      params,
    );
  }

  /** What a user loses together with an entity. */
  async losses(
    tx: Transaction,
    userId: string,
    entityCode: string,
  ): Promise<Omit<EntityRemovalPreview, 'code' | 'entityCode'>> {
    const counts = await countSelected(tx, this.selectAffected(tx, userId, entityCode));
    return { fixedKeys: counts.fixedKeys, isDefault: counts.starts > 0, remaining: counts.remaining };
  }

  /** @throws NotFound for an entity that the user does not have, or an area outside of it. */
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
