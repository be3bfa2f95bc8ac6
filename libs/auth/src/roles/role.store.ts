import type { RoleChange, RoleRecord } from '@acervo/contracts';
import { builtInRole, type Profile } from '@acervo/public-mapping';
import type { Transaction } from '@acervo/platform-database';
import { protectedRoleIds } from '../catalogue/roles';
import { PeopleConflict } from '../users/refusals';
import { onlyRow, uniquely } from '../users/violations';
import { FIRST_GROUP_ROLE, globalTables, groupTables, isGlobalRole, type RoleTables, tablesOf } from './role-tables';

/** What operations call a role of the product is the code of no other role. */
const assertNotPublic = (code: string): void => {
  if (builtInRole.publicCodes.some((known) => known === code)) throw new PeopleConflict('ROLE_EXISTS');
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

/** A row as callers see it; the code of its group is known to who read it. */
export const recordOf = ({ documentedAt, ...row }: RoleRow, groupCode: string): RoleRecord => ({
  ...row,
  groupCode: isGlobalRole(row.roleId) ? null : groupCode,
  isGlobal: isGlobalRole(row.roleId),
  isProtected: protectedRoleIds.includes(row.roleId),
  documentedAt: documentedAt?.toISOString() ?? null,
});

/** What a caller calls a role: by number inside, by code in public. */
export interface RoleName {
  readonly roleId?: number;
  readonly roleCode?: string;
}

/** Roles of one group and of all groups. */
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

  /** A role of the group or of all groups. @throws NotFound */
  async get(tx: Transaction, roleId: number): Promise<RoleRow> {
    return onlyRow(await this.select(tx, tablesOf(roleId), 'and r.role_id = $2', [roleId]));
  }

  /** The role of a number or of a code; of its group before one of all groups. @throws NotFound */
  async named(tx: Transaction, { roleId, roleCode }: RoleName): Promise<RoleRow> {
    if (roleId !== undefined) return this.get(tx, roleId);
    const known = [...(await this.ofGroup(tx)), ...(await this.ofAll(tx))];
    return onlyRow(known.filter(({ code }) => code === roleCode).slice(0, 1));
  }

  /** The same, kept from others until the transaction ends. @throws NotFound */
  async lock(tx: Transaction, roleId: number): Promise<RoleRow> {
    const tables = tablesOf(roleId);
    await tx.query(`select from ${tables.roles} where ${tables.own} and role_id = $2 for update`, [tx.groupId, roleId]);
    return this.get(tx, roleId);
  }

  /** The first role that somebody new to the group would work with: one of its own before one of all groups. */
  async firstOf(tx: Transaction): Promise<RoleRow | undefined> {
    const [own] = await this.ofGroup(tx);
    return own ?? (await this.ofAll(tx)).find(({ profile }) => profile !== 'SISTEMA');
  }

  /** Makes a role of the transaction's group and answers its id. Ids are never used twice. */
  async create(tx: Transaction, { code, name, description, profile }: NewRole): Promise<number> {
    assertNotPublic(code);
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

  /** Makes a role of all groups, in a transaction of the catalogue's login. */
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
         where ${tables.own} and role_id = $2`,
        [tx.groupId, roleId, code ?? null, name ?? null, description ?? null, profile ?? null],
      ),
    );
  }

  async delete(tx: Transaction, roleId: number): Promise<void> {
    const tables = tablesOf(roleId);
    await tx.query(`delete from ${tables.roles} where ${tables.own} and role_id = $2`, [tx.groupId, roleId]);
  }

  /** How many users of the group have the role. */
  async holders(tx: Transaction, roleId: number): Promise<number> {
    const rows = await tx.query<{ users: number }>(
      `select count(*)::int as users from auth.user_role where group_id = $1 and role_id = $2`,
      [tx.groupId, roleId],
    );
    return onlyRow(rows).users;
  }

  /** Puts roles of one kind into this order; those that are not named stay where they are. */
  async order(tx: Transaction, roleIds: readonly number[]): Promise<number> {
    const tables = tablesOf(roleIds[0] ?? 0);
    const moved = await tx.query(
      `update ${tables.roles} r set position = o.place from unnest($2::int[]) with ordinality as o(id, place)
       where ${tables.own} and r.role_id = o.id returning r.role_id`,
      [tx.groupId, roleIds],
    );
    return moved.length;
  }

  async keepDocument(tx: Transaction, roleId: number, document: string): Promise<Date> {
    const tables = tablesOf(roleId);
    const kept = await tx.query<{ at: Date }>(
      `update ${tables.roles} set document = $3, documented_at = now() where ${tables.own} and role_id = $2
       returning documented_at as at`,
      [tx.groupId, roleId, document],
    );
    return onlyRow(kept).at;
  }

  private async assertNotGlobal(tx: Transaction, code: string): Promise<void> {
    const taken = await tx.query(`select from auth.global_role where code = $1`, [code]);
    if (taken.length > 0) throw new PeopleConflict('ROLE_EXISTS');
  }

  private select(
    tx: Transaction,
    { roles, own }: RoleTables,
    filter: string,
    params: readonly unknown[],
  ): Promise<RoleRow[]> {
    return tx.query<RoleRow>(
      `select ${COLUMNS} from ${roles} r where ${own} ${filter} order by r.position, r.role_id`,
      [tx.groupId, ...params],
    );
  }
}
