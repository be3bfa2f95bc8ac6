import { Injectable } from '@nestjs/common';
import {
  getUser,
  InvalidInput,
  listUsers,
  MOST_LISTED,
  pageUsers,
  updateUser,
  type UserPage,
  type UserPageRequest,
  type UserRecord,
  type UserRecords,
  type UserReference,
  type UserSearch,
  type UserUpdate,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { ApplicationStore } from '../applications/application.store';
import { UserEntityStore } from '../entities/user-entity.store';
import { assertReaches } from '../kernel/authority';
import { PeopleConflict, wholeList } from '../kernel/auth.errors';
import { recordOf, type UserRow, UserStore } from '../accounts/user.store';

/** Users of the active group. */
@Injectable()
export class UsersHandlers {
  constructor(
    private readonly database: Database,
    private readonly users: UserStore,
    private readonly userEntities: UserEntityStore,
    private readonly applications: ApplicationStore,
  ) {}

  @Handles(listUsers)
  list(scope: Scope, { q }: UserSearch): Promise<UserRecords> {
    return this.database.read(scope, async (tx) => {
      const rows = await this.users.list(tx, { q, limit: MOST_LISTED + 1, offset: 0 });
      return { items: wholeList(rows, MOST_LISTED).map(recordOf) };
    });
  }

  @Handles(pageUsers)
  page(scope: Scope, { q, page, limit }: UserPageRequest): Promise<UserPage> {
    return this.database.read(scope, async (tx) => {
      const rows = await this.users.list(tx, { q, limit, offset: (page - 1) * limit });
      return { items: rows.map(recordOf), total: await this.users.count(tx, q), page, limit };
    });
  }

  @Handles(getUser)
  get(scope: Scope, { code }: UserReference): Promise<UserRecord> {
    return this.database.read(scope, async (tx) => recordOf(await this.users.get(tx, code)));
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

  /** @throws for an account that may not be enabled or disabled. */
  private async assertMayBecome(
    scope: Scope,
    tx: Transaction,
    row: UserRow,
    state: UserUpdate['state'],
  ): Promise<void> {
    if (state === 'ACTIVO' && row.state === 'PENDIENTE') throw new PeopleConflict('STILL_INVITED');
    if (state !== 'INACTIVO') return;
    if (row.code === scope.userCode) throw new PeopleConflict('SELF_DISABLED');
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

  /** An area belongs to its entity. A change of the entity sets the given area, or clears it. */
  private withoutStrayArea(change: Omit<UserUpdate, 'code'>): Omit<UserUpdate, 'code'> {
    return change.defaultEntity === undefined ? change : { ...change, defaultArea: change.defaultArea ?? null };
  }
}
