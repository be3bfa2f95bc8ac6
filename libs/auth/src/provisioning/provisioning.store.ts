import { Injectable } from '@nestjs/common';
import type { Database, Transaction } from '@acervo/platform-database';
import { GROUP_ADMIN } from '../kernel/built-in-roles';

export interface GroupOverview {
  readonly groupCode: string;
  readonly entityCode: string;
  readonly administrator: string;
  readonly administratorId: string;
}

@Injectable()
export class ProvisioningStore {
  /** The group of this installation. The first call decides its id; concurrent calls return the same one. */
  async installationGroup(database: Database): Promise<string> {
    return database.ungrouped(async (tx) => {
      await tx.query(`insert into auth.installation (id, group_id) values (1, uuidv7()) on conflict (id) do nothing`);
      const [row] = await tx.query<{ group_id: string }>(`select group_id from auth.installation where id = 1`);
      if (row === undefined) throw new Error('The installation has no group.');
      return row.group_id;
    });
  }

  /** Creates the group with its first entity and administrator; returns false when the group exists. */
  async create(tx: Transaction, name: string, administrator: string): Promise<boolean> {
    const made = await tx.query(
      `insert into auth.tenant_group (group_id, code, name) values ($1, 'G1', $2) on conflict (group_id) do nothing returning code`,
      [tx.groupId, name],
    );
    if (made.length === 0) return false;
    await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', $2)`, [tx.groupId, name]);
    await tx.query(
      `insert into auth.app_user (group_id, email, name, address_confirmed) values ($1, $2, 'Administrador', true)`,
      [tx.groupId, administrator],
    );
    await tx.query(
      `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, $2 from auth.app_user where group_id = $1`,
      [tx.groupId, GROUP_ADMIN.id],
    );
    await tx.query(
      `insert into auth.user_entity (group_id, user_id, entity_code) select group_id, user_id, 'E1' from auth.app_user where group_id = $1`,
      [tx.groupId],
    );
    return true;
  }

  async overview(tx: Transaction): Promise<GroupOverview> {
    const [row] = await tx.query<GroupOverview>(
      `select g.code as "groupCode", u.email as administrator, u.user_id as "administratorId",
         (select e.code from auth.entity e where e.group_id = g.group_id order by e.code limit 1) as "entityCode"
       from auth.tenant_group g
       join auth.app_user u on u.group_id = g.group_id and u.state = 'ACTIVO'
       join auth.user_role r on r.group_id = u.group_id and r.user_id = u.user_id and r.role_id = $2
       where g.group_id = $1 order by u.created_at limit 1`,
      [tx.groupId, GROUP_ADMIN.id],
    );
    if (row === undefined) throw new Error('The group has no active administrator.');
    return row;
  }
}
