import { Injectable } from '@nestjs/common';
import type { UserChange, UserGroupItem, UserRecord } from '@acervo/contracts';
import type { UserState } from '@acervo/public-mapping';
import type { Profile } from '@acervo/public-mapping';
import { assignmentsOf, onlyRow, type TenantScope, type Transaction } from '@acervo/platform-database';
import { GROUP_ADMIN, SYSTEM } from '../kernel/built-in-roles';
import { DELETING, isPresent } from '../kernel/account-state';
import { Directory, type GroupLocation, type PageOf } from './directory';
import { PeopleConflict } from '../kernel/auth.errors';
import { assertRoom } from '../kernel/row-limits';

/** A user with the columns that decide who may change it. */
export interface UserRow extends Omit<UserRecord, 'createdAt'> {
  readonly userId: string;
  /** The highest level of all roles of the user. */
  readonly level: Profile | null;
  /** Whether the user has a protected role. */
  readonly isProtected: boolean;
  readonly createdAt: Date;
}

const LEVELS = `array['SISTEMA', 'ADMINISTRADOR', 'USUARIO']`;

/** Existing roles of a user, in the user's order. */
const ASSIGNED_ROLES = `auth.user_role ur join auth.role_list l on l.role_id = ur.role_id and (l.group_id is null or l.group_id = ur.group_id)
  where ur.group_id = u.group_id and ur.user_id = u.user_id`;

const COLUMNS = `
select u.user_id as "userId", u.email as code, u.name, u.state, u.created_at as "createdAt",
  coalesce(u.default_group_code, g.code) as "groupCode", u.default_entity as "defaultEntity", u.default_area as "defaultArea",
  u.default_application as "defaultApplication",
  coalesce(u.default_role_id, main.role_id) as "mainRoleId", coalesce(u.default_role_code, main.code) as "mainRole",
  levels.level, coalesce(levels.protected, false) as "isProtected",
  case when levels.level = 'SISTEMA' then 'SISTEMA' else main.profile end as profile
from auth.app_user u join auth.tenant_group g on g.group_id = u.group_id
left join lateral (select l.role_id, l.code, l.profile from ${ASSIGNED_ROLES} order by ur.position, ur.role_id limit 1) main on true
left join lateral (select (array_agg(l.profile order by array_position(${LEVELS}, l.profile)))[1] as level,
  bool_or(l.role_id in (${GROUP_ADMIN.id}, ${SYSTEM.id})) as protected from ${ASSIGNED_ROLES}) levels on true`;

const PRESENT = isPresent('u');
const MATCHES = `($2::text is null or position(lower($2) in lower(u.name)) > 0 or position(lower($2) in lower(u.email)) > 0)`;

export const recordOf = ({ createdAt, ...row }: UserRow): UserRecord => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly state: UserState;
}

/** A default group, null for the user's own, and a role of it. */
export interface Start {
  readonly group: GroupLocation | null;
  readonly role: { readonly roleId: number; readonly code: string };
}

/** Users of one group. */
@Injectable()
export class UserStore {
  constructor(private readonly directory: Directory) {}

  /** Users by name. Users with another default group are left out. */
  async list(tx: Transaction, { q, limit, offset }: PageOf): Promise<readonly UserRow[]> {
    return tx.query<UserRow>(
      `${COLUMNS} where u.group_id = $1 and u.default_group_id is null and ${PRESENT} and ${MATCHES}
       order by lower(u.name), u.email limit $3 offset $4`,
      [tx.groupId, q ?? null, limit, offset],
    );
  }

  async count(tx: Transaction, q: string | undefined): Promise<number> {
    const rows = await tx.query<{ total: number }>(
      `select count(*)::int as total from auth.app_user u
       where u.group_id = $1 and u.default_group_id is null and ${PRESENT} and ${MATCHES}`,
      [tx.groupId, q ?? null],
    );
    return onlyRow(rows).total;
  }

  /** @throws NotFound */
  async get(tx: Transaction, email: string): Promise<UserRow> {
    return onlyRow(
      await tx.query<UserRow>(`${COLUMNS} where u.group_id = $1 and u.email = $2 and ${PRESENT}`, [tx.groupId, email]),
    );
  }

  /** The group that is the default one of a user. @throws NotFound */
  async defaultGroup(tx: Transaction, email: string): Promise<UserGroupItem> {
    return onlyRow(
      await tx.query<UserGroupItem>(
        `select coalesce(u.default_group_code, g.code) as "groupCode",
           case when u.default_group_id is null then g.name else u.default_group_code end as name, true as "isDefault"
         from auth.app_user u join auth.tenant_group g on g.group_id = u.group_id
         where u.group_id = $1 and u.email = $2 and ${PRESENT}`,
        [tx.groupId, email],
      ),
    );
  }

  /** Like `get`, and locks the user until the transaction ends. @throws NotFound */
  async lock(tx: Transaction, email: string): Promise<UserRow> {
    await tx.query(`select from auth.app_user where group_id = $1 and email = $2 for update`, [tx.groupId, email]);
    return this.get(tx, email);
  }

  /** Asked before the transaction of the user. @throws PeopleConflict for an address confirmed in another group */
  async assertFree({ groupId }: TenantScope, email: string): Promise<void> {
    const owner = await this.directory.ownerOf(email);
    if (owner !== undefined && owner.groupId !== groupId) throw new PeopleConflict('USER_EXISTS');
  }

  /**
   * Returns the id of the new user.
   * @throws PeopleConflict for an address that is taken in the group, also by an account in deletion
   */
  async create(tx: Transaction, { email, name, state }: NewUser): Promise<string> {
    await assertRoom(tx, 'app_user');
    const [made] = await tx.query<{ userId: string }>(
      `insert into auth.app_user (group_id, email, name, state) values ($1, $2, $3, $4)
       on conflict (group_id, email) do nothing returning user_id as "userId"`,
      [tx.groupId, email, name, state],
    );
    if (made === undefined) throw await this.taken(tx, email);
    return made.userId;
  }

  /** Writes the given fields; null clears, an absent field stays. */
  async update(tx: Transaction, userId: string, change: UserChange): Promise<void> {
    const columns = {
      name: change.name,
      state: change.state,
      default_entity: change.defaultEntity,
      default_area: change.defaultArea,
      default_application: change.defaultApplication,
    };
    const { sql, params } = assignmentsOf(columns, 3);
    if (sql.length === 0) return;
    await tx.query(`update auth.app_user set ${sql.join(', ')} where group_id = $1 and user_id = $2`, [
      tx.groupId,
      userId,
      ...params,
    ]);
  }

  /** Sets where sessions of a SYSTEM user begin: a group and its role; entity, area and application are cleared. */
  async start(tx: Transaction, userId: string, { group, role }: Start): Promise<void> {
    await tx.query(
      `update auth.app_user set default_group_id = $3, default_group_code = $4, default_role_id = $5, default_role_code = $6,
         default_entity = null, default_area = null, default_application = null
       where group_id = $1 and user_id = $2`,
      [tx.groupId, userId, group?.groupId ?? null, group?.groupCode ?? null, role.roleId, role.code],
    );
  }

  /** Frees the address of a user, who keeps everything until another person confirms it; false if it was free. */
  async releaseAddress(tx: Transaction, email: string): Promise<boolean> {
    const rows = await tx.query(
      `update auth.app_user set address_confirmed = false where group_id = $1 and email = $2 and address_confirmed
       returning user_id`,
      [tx.groupId, email],
    );
    return rows.length > 0;
  }

  /** An unconfirmed user waits for a link: the password that an administrator chose no longer opens the account. */
  async awaitOwner(tx: Transaction, userId: string): Promise<void> {
    await tx.query(
      `update auth.app_user set state = 'PENDIENTE'
       where group_id = $1 and user_id = $2 and state = 'ACTIVO' and not address_confirmed`,
      [tx.groupId, userId],
    );
  }

  /** Whether the group has an active administrator beside this user. */
  async hasOtherAdministrator(tx: Transaction, userId: string): Promise<boolean> {
    const rows = await tx.query(
      `select from auth.app_user u join auth.user_role r on r.group_id = u.group_id and r.user_id = u.user_id and r.role_id = $3
       where u.group_id = $1 and u.user_id <> $2 and u.state = 'ACTIVO' limit 1`,
      [tx.groupId, userId, GROUP_ADMIN.id],
    );
    return rows.length > 0;
  }

  private async taken(tx: Transaction, email: string): Promise<PeopleConflict> {
    const leaving = await tx.query(
      `select from auth.app_user where group_id = $1 and email = $2 and state = '${DELETING}'`,
      [tx.groupId, email],
    );
    return new PeopleConflict(leaving.length > 0 ? 'USER_BEING_DELETED' : 'USER_EXISTS');
  }
}
