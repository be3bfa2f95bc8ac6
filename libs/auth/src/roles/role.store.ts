import { Injectable } from '@nestjs/common';
import type { RoleChange, RoleRecord } from '@acervo/contracts';
import { builtInRole, type Profile } from '@acervo/public-mapping';
import { onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import { protectedRoleIds } from '../kernel/built-in-roles';
import { PeopleConflict } from '../kernel/auth.errors';
import { assertRoom } from '../kernel/row-limits';
import { FIRST_GROUP_ROLE, globalTables, groupTables, isGlobalRole, type RoleTables, tablesOf } from './role-tables';

/** The public name of a role of the product is the code of no other role. */
const assertNotPublic = (code: string): void => {
  if (builtInRole.publicCodes.some((roles) => roles === code)) throw new PeopleConflict('ROLE_EXISTS');
};

/** A role as its table has it. */
export interface RoleRow {
  readonly roleId: number;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly profile: Profile;
  readonly position: number;
  readonly document: string | null;
  readonly documentedAt: Date | null;
}

export interface NewRole {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly profile: Profile;
}

const COLUMNS = `r.role_id as "roleId", r.code, r.name, r.description, r.profile, r.position, r.document, r.documented_at as "documentedAt"`;

/** A row in its public form; the caller knows the code of its group. */
export const recordOf = ({ documentedAt, ...row }: RoleRow, groupCode: string): RoleRecord => ({
  ...row,
  groupCode: isGlobalRole(row.roleId) ? null : groupCode,
  isGlobal: isGlobalRole(row.roleId),
  isProtected: protectedRoleIds.includes(row.roleId),
  documentedAt: documentedAt?.toISOString() ?? null,
});

/** How a request names a role: by number inside, by code in public. */
export interface RoleName {
  readonly roleId?: number;
  readonly roleCode?: string;
}

/** Roles of one group and of all groups. */
@Injectable()
export class RoleStore {
  async ofGroup(tx: Transaction): Promise<readonly RoleRow[]> {
    return this.select(tx, groupTables, '', []);
  }

  /** Global roles, all or those of one application. */
  async ofAll(tx: Transaction, application?: string): Promise<readonly RoleRow[]> {
    const filter = `and ($2::text is null or exists (select from auth.global_role_application a
      where a.role_id = r.role_id and a.application_code = $2))`;
    return this.select(tx, globalTables, filter, [application ?? null]);
  }

  /** A role of the group, or a global one. @throws NotFound */
  async get(tx: Transaction, roleId: number): Promise<RoleRow> {
    return onlyRow(await this.select(tx, tablesOf(roleId), 'and r.role_id = $2', [roleId]));
  }

  /** The role with a number or a code; a role of the group precedes a global one. @throws NotFound */
  async named(tx: Transaction, { roleId, roleCode }: RoleName): Promise<RoleRow> {
    if (roleId !== undefined) return this.get(tx, roleId);
    const roles = [...(await this.ofGroup(tx)), ...(await this.ofAll(tx))];
    return onlyRow(roles.filter(({ code }) => code === roleCode).slice(0, 1));
  }

  /** Like `get`, and locks the role until the transaction ends. @throws NotFound */
  async lock(tx: Transaction, roleId: number): Promise<RoleRow> {
    const tables = tablesOf(roleId);
    await tx.query(`select from ${tables.roles} where ${tables.scopeCondition} and role_id = $2 for update`, [
      tx.groupId,
      roleId,
    ]);
    return this.get(tx, roleId);
  }

  /** The first role for a user who is new to the group; a role of the group precedes a global one. */
  async firstOf(tx: Transaction): Promise<RoleRow | undefined> {
    const [scopeCondition] = await this.ofGroup(tx);
    return scopeCondition ?? (await this.ofAll(tx)).find(({ profile }) => profile !== 'SISTEMA');
  }

  /** Creates a role of the transaction's group and returns its id. Ids are never reused. */
  async create(tx: Transaction, { code, name, description, profile }: NewRole): Promise<number> {
    assertNotPublic(code);
    await assertRoom(tx, 'group_role');
    await this.assertNotGlobal(tx, code);
    const counted = await tx.query<{ value: number }>(
      `insert into auth.counter (group_id, name, value) values ($1, 'role_id', ${FIRST_GROUP_ROLE})
       on conflict (group_id, name) do update set value = counter.value + 1 returning value`,
      [tx.groupId],
    );
    const { value: roleId } = onlyRow(counted);
    await uniquely(new PeopleConflict('ROLE_EXISTS'), () =>
      tx.query(
        `insert into auth.group_role (group_id, role_id, code, name, description, profile, position)
         values ($1, $2, $3, $4, $5, $6, $2)`,
        [tx.groupId, roleId, code, name, description, profile],
      ),
    );
    return roleId;
  }

  /** Creates a global role, in a transaction of the catalogue's login. */
  async createGlobal(tx: Transaction, { code, name, description, profile }: NewRole): Promise<number> {
    assertNotPublic(code);
    const made = await uniquely(new PeopleConflict('ROLE_EXISTS'), () =>
      tx.query<{ roleId: number }>(
        `insert into auth.global_role (role_id, code, name, description, profile, position, edited)
         select n, $1, $2, $3, $4, n, true from (select nextval('auth.global_role_number')::int as n) numbers
         returning role_id as "roleId"`,
        [code, name, description, profile],
      ),
    );
    return onlyRow(made).roleId;
  }

  async update(tx: Transaction, roleId: number, { code, name, description, profile }: RoleChange): Promise<void> {
    const tables = tablesOf(roleId);
    if (code !== undefined) assertNotPublic(code);
    if (code !== undefined && !isGlobalRole(roleId)) await this.assertNotGlobal(tx, code);
    await uniquely(new PeopleConflict('ROLE_EXISTS'), () =>
      tx.query(
        `update ${tables.roles} set code = coalesce($3, code), name = coalesce($4, name),
           description = coalesce($5, description), profile = coalesce($6, profile)${isGlobalRole(roleId) ? ', edited = true' : ''}
         where ${tables.scopeCondition} and role_id = $2`,
        [tx.groupId, roleId, code ?? null, name ?? null, description ?? null, profile ?? null],
      ),
    );
  }

  async delete(tx: Transaction, roleId: number): Promise<void> {
    const tables = tablesOf(roleId);
    await tx.query(`delete from ${tables.roles} where ${tables.scopeCondition} and role_id = $2`, [tx.groupId, roleId]);
  }

  /** How many users of the group have the role. */
  async holders(tx: Transaction, roleId: number): Promise<number> {
    const rows = await tx.query<{ users: number }>(
      `select count(*)::int as users from auth.user_role where group_id = $1 and role_id = $2`,
      [tx.groupId, roleId],
    );
    return onlyRow(rows).users;
  }

  /** Orders roles of one kind; roles that are not named keep their place. */
  async order(tx: Transaction, roleIds: readonly number[]): Promise<number> {
    const tables = tablesOf(roleIds[0] ?? 0);
    const moved = await tx.query(
      `update ${tables.roles} r set position = o.place from unnest($2::int[]) with ordinality as o(id, place)
       where ${tables.scopeCondition} and r.role_id = o.id returning r.role_id`,
      [tx.groupId, roleIds],
    );
    return moved.length;
  }

  async keepDocument(tx: Transaction, roleId: number, document: string): Promise<Date> {
    const tables = tablesOf(roleId);
    const updated = await tx.query<{ at: Date }>(
      `update ${tables.roles} set document = $3, documented_at = now() where ${tables.scopeCondition} and role_id = $2
       returning documented_at as at`,
      [tx.groupId, roleId, document],
    );
    return onlyRow(updated).at;
  }

  private async assertNotGlobal(tx: Transaction, code: string): Promise<void> {
    const existing = await tx.query(`select from auth.global_role where code = $1`, [code]);
    if (existing.length > 0) throw new PeopleConflict('ROLE_EXISTS');
  }

  private select(
    tx: Transaction,
    { roles, scopeCondition }: RoleTables,
    filter: string,
    params: readonly unknown[],
  ): Promise<RoleRow[]> {
    return tx.query<RoleRow>(
      `select ${COLUMNS} from ${roles} r where ${scopeCondition} ${filter} order by r.position, r.role_id`,
      [tx.groupId, ...params],
    );
  }
}
