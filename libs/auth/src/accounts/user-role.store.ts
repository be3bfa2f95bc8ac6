import { Injectable } from '@nestjs/common';
import type { UserRoleItem } from '@acervo/contracts';
import { onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import { PeopleConflict } from '../kernel/auth.errors';

const ITEMS = `
select l.role_id as "roleId", l.code as "roleCode", l.name, l.profile, g.code as "groupCode",
  (row_number() over (order by ur.position, ur.role_id))::int as position,
  row_number() over (order by ur.position, ur.role_id) = 1 as main
from auth.user_role ur
join auth.role_list l on l.role_id = ur.role_id and (l.group_id is null or l.group_id = ur.group_id)
join auth.tenant_group g on g.group_id = ur.group_id
where ur.group_id = $1 and ur.user_id = $2 order by ur.position, ur.role_id`;

/** Roles of users: the first one is the role that sessions open with. */
@Injectable()
export class UserRoleStore {
  async list(tx: Transaction, userId: string): Promise<readonly UserRoleItem[]> {
    return tx.query<UserRoleItem>(ITEMS, [tx.groupId, userId]);
  }

  /** The role of a user. @throws NotFound */
  async get(tx: Transaction, userId: string, roleId: number): Promise<UserRoleItem> {
    return onlyRow((await this.list(tx, userId)).filter((item) => item.roleId === roleId));
  }

  /** Appends a role. @throws PeopleConflict when the user has it. */
  async add(tx: Transaction, userId: string, roleId: number): Promise<void> {
    await uniquely(new PeopleConflict('ROLE_HELD_ALREADY'), () =>
      tx.query(
        `insert into auth.user_role (group_id, user_id, role_id, position)
         select $1, $2, $3, coalesce(max(position) + 1, 0) from auth.user_role where group_id = $1 and user_id = $2`,
        [tx.groupId, userId, roleId],
      ),
    );
  }

  async remove(tx: Transaction, userId: string, roleId: number): Promise<void> {
    await tx.query(`delete from auth.user_role where group_id = $1 and user_id = $2 and role_id = $3`, [
      tx.groupId,
      userId,
      roleId,
    ]);
  }

  /** Orders the roles. The first of them replaces a default role that was chosen with a group. */
  async order(tx: Transaction, userId: string, roleIds: readonly number[]): Promise<void> {
    await tx.query(
      `update auth.user_role r set position = o.place from unnest($3::int[]) with ordinality as o(role_id, place)
       where r.group_id = $1 and r.user_id = $2 and r.role_id = o.role_id`,
      [tx.groupId, userId, roleIds],
    );
    await tx.query(
      `update auth.app_user set default_role_id = null, default_role_code = null
       where group_id = $1 and user_id = $2 and default_group_id is null and default_role_id is not null`,
      [tx.groupId, userId],
    );
  }
}
