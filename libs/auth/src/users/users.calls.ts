import {
  changeOwnGroup,
  createUser,
  deleteUser,
  getUser,
  InvalidInput,
  listUsers,
  MOST_LISTED,
  type OwnGroupChange,
  pageUsers,
  previewUserDeletion,
  updateUser,
  type UserDeleted,
  type UserDeletionPreview,
  type UserDraft,
  type UserPage,
  type UserPageRequest,
  type UserRecord,
  type UserRecords,
  type UserReference,
  type UserSearch,
  type UserUpdate,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { ApplicationStore } from '../applications/application.store';
import { UserEntityStore } from '../entities/user-entity.store';
import { RoleStore } from '../roles/role.store';
import { assertMayGive, assertReaches, assertSystem } from './authority';
import { countDependents } from './dependents.store';
import type { Directory } from './directory';
import type { FirstPasswords, HashedPassword, Invitations } from './invitations';
import { PeopleConflict } from './refusals';
import { UserRoleStore } from './user-role.store';
import { recordOf, type UserRow, UserStore } from './user.store';

export interface UsersParts {
  readonly database: Database;
  readonly directory: Directory;
  readonly invitations: Invitations;
  readonly passwords: FirstPasswords;
}

/** Users of the active group. */
export class UsersCalls {
  private readonly users = new UserStore();
  private readonly userRoles = new UserRoleStore();
  private readonly userEntities = new UserEntityStore();
  private readonly roles = new RoleStore();
  private readonly applications = new ApplicationStore();

  constructor(private readonly parts: UsersParts) {}

  @Handles(listUsers)
  list(scope: Scope, { q }: UserSearch): Promise<UserRecords> {
    return this.parts.database.read(scope, async (tx) => {
      const rows = await this.users.list(tx, { q, limit: MOST_LISTED, offset: 0 });
      return { items: rows.map(recordOf) };
    });
  }

  @Handles(pageUsers)
  page(scope: Scope, { q, page, limit }: UserPageRequest): Promise<UserPage> {
    return this.parts.database.read(scope, async (tx) => {
      const rows = await this.users.list(tx, { q, limit, offset: (page - 1) * limit });
      return { items: rows.map(recordOf), total: await this.users.count(tx, q), page, limit };
    });
  }

  @Handles(getUser)
  get(scope: Scope, { code }: UserReference): Promise<UserRecord> {
    return this.parts.database.read(scope, async (tx) => recordOf(await this.users.get(tx, code)));
  }

  @Handles(createUser)
  async create(scope: Scope, draft: UserDraft, context: WriteContext): Promise<UserRecord> {
    const { invitations, passwords } = this.parts;
    const password = draft.password === undefined ? undefined : await passwords.hash(draft.password);
    const { row, afterwards } = await context.write(async (tx) => {
      const userId = await this.make(scope, tx, draft, password);
      const invited = { userId, email: draft.code.toLowerCase(), name: draft.name };
      const afterCommit = password === undefined ? await invitations.invite(tx, invited) : undefined;
      return { row: await this.users.get(tx, draft.code), afterwards: afterCommit };
    });
    afterwards?.();
    return recordOf(row);
  }

  @Handles(updateUser)
  update(scope: Scope, { code, ...change }: UserUpdate, context: WriteContext): Promise<UserRecord> {
    return context.write(async (tx) => {
      const row = await this.users.lock(tx, code);
      assertReaches(scope, row.level);
      await this.assertMayBecome(scope, tx, row, change.state);
      await this.assertStart(tx, row, change);
      await this.users.update(tx, row.userId, this.withoutStrayArea(change));
      return recordOf(await this.users.get(tx, code));
    });
  }

  @Handles(deleteUser)
  delete(scope: Scope, { code }: UserReference, context: WriteContext): Promise<UserDeleted> {
    return context.write(async (tx) => {
      const row = await this.users.lock(tx, code);
      if (row.isProtected) throw new PeopleConflict('USER_PROTECTED');
      assertReaches(scope, row.level);
      await this.users.delete(tx, row.userId);
      return { code: row.code, deleted: true };
    });
  }

  @Handles(previewUserDeletion)
  preview(scope: Scope, { code }: UserReference): Promise<UserDeletionPreview> {
    return this.parts.database.read(scope, async (tx) => {
      const row = await this.users.get(tx, code);
      const dependencies = await countDependents(tx, row.userId);
      const total = dependencies.reduce((sum, { count }) => sum + count, 0);
      return { code: row.code, dependencies, total, blocked: row.isProtected };
    });
  }

  @Handles(changeOwnGroup)
  async changeOwnGroup(scope: Scope, { groupCode }: OwnGroupChange, context: WriteContext): Promise<UserRecord> {
    assertSystem(scope);
    const target = await this.parts.directory.groupFor(scope, groupCode);
    const home = scope.homeGroupId ?? scope.groupId;
    const first = await this.parts.database.read(target, (tx) => this.roles.firstOf(tx));
    if (first === undefined) throw new PeopleConflict('NO_ROLE_THERE');
    return context.writeUnder({ groupId: home }, async (tx) => {
      const { userId } = await this.users.lock(tx, scope.userCode);
      const isHome = target.groupId === home;
      await this.users.start(tx, userId, { group: isHome ? null : target, role: first });
      return recordOf(await this.users.get(tx, scope.userCode));
    });
  }

  private async make(scope: Scope, tx: Transaction, draft: UserDraft, password?: HashedPassword): Promise<string> {
    const state = password === undefined ? 'PENDIENTE' : 'ACTIVO';
    const userId = await this.users.create(tx, { email: draft.code, name: draft.name, state });
    if (password !== undefined) await this.parts.passwords.keep(tx, userId, password);
    if (draft.roleId !== undefined || draft.roleCode !== undefined) {
      const role = await this.roles.named(tx, draft);
      assertMayGive(scope, role);
      await this.userRoles.add(tx, userId, role.roleId);
    }
    for (const entity of new Set(draft.entities)) await this.userEntities.add(tx, userId, entity, null);
    return userId;
  }

  /** @throws where an account may not be switched on or off. */
  private async assertMayBecome(
    scope: Scope,
    tx: Transaction,
    row: UserRow,
    state: UserUpdate['state'],
  ): Promise<void> {
    if (state === 'ACTIVO' && row.state === 'PENDIENTE') throw new PeopleConflict('STILL_INVITED');
    if (state !== 'INACTIVO') return;
    if (row.code === scope.userCode.toLowerCase()) throw new PeopleConflict('SELF_DISABLED');
    if (row.isProtected && !(await this.users.hasOtherAdministrator(tx, row.userId)))
      throw new PeopleConflict('LAST_ADMINISTRATOR');
  }

  private async assertStart(tx: Transaction, row: UserRow, change: Omit<UserUpdate, 'code'>): Promise<void> {
    const { defaultEntity, defaultArea, defaultApplication } = change;
    const entity = defaultEntity === undefined ? row.defaultEntity : defaultEntity;
    if (typeof defaultArea === 'string' && entity === null)
      throw new InvalidInput({ missing: [], invalid: ['area_predeterminada'], unknown: 0 });
    if (defaultEntity !== undefined || defaultArea !== undefined)
      await this.userEntities.assertStart(tx, row.userId, entity, defaultArea ?? null);
    if (typeof defaultApplication === 'string') await this.applications.get(tx, defaultApplication);
  }

  /** An area does not outlive its entity: where another entity is chosen, the area is the one given with it or none. */
  private withoutStrayArea(change: Omit<UserUpdate, 'code'>): Omit<UserUpdate, 'code'> {
    return change.defaultEntity === undefined ? change : { ...change, defaultArea: change.defaultArea ?? null };
  }
}
