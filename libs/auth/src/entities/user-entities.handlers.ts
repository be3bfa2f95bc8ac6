import { Injectable } from '@nestjs/common';
import {
  addUserEntity,
  type AssignEntity,
  type EntityRemovalPreview,
  listUserEntities,
  type ListUserEntities,
  previewEntityRemoval,
  type Removed,
  removeUserEntity,
  type UserEntityItem,
  type UserEntityItems,
  type UserEntityReference,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { AreaStore } from '../organisation/area.store';
import { Reach } from '../organisation/reach';
import { assertReaches } from '../kernel/authority';
import { Directory } from '../accounts/directory';
import { UserStore } from '../accounts/user.store';
import { UserEntityStore } from './user-entity.store';

type Assignment = Pick<UserEntityItem, 'entityCode' | 'areaCode'>;

/** Entities of users, which decide what data they reach. */
@Injectable()
export class UserEntitiesHandlers {
  constructor(
    private readonly database: Database,
    private readonly directory: Directory,
    private readonly users: UserStore,
    private readonly entities: UserEntityStore,
    private readonly areas: AreaStore,
  ) {}

  @Handles(listUserEntities)
  async list(scope: Scope, { code, groupCode }: ListUserEntities): Promise<UserEntityItems> {
    const group = await this.directory.groupFor(scope, groupCode);
    return this.database.read(group, async (tx) => {
      const { userId } = await this.users.get(tx, code);
      const items = await this.entities.list(tx, userId);
      const parts = scope.isFixed === true ? (await Reach.of(tx, scope)).parts : null;
      return { items: items.filter(({ entityCode }) => parts?.some(({ entity }) => entity === entityCode) ?? true) };
    });
  }

  @Handles(addUserEntity)
  add(scope: Scope, input: AssignEntity, context: WriteContext): Promise<UserEntityItem> {
    const { code, entityCode, areaCode = null } = input;
    return context.write(async (tx) => {
      const user = await this.users.lock(tx, code);
      assertReaches(scope, user.level);
      await this.assertAdministers(tx, scope, { entityCode, areaCode });
      await this.entities.add(tx, user.userId, entityCode, areaCode);
      return this.entities.get(tx, user.userId, entityCode);
    });
  }

  @Handles(previewEntityRemoval)
  previewRemoval(scope: Scope, { code, entityCode }: UserEntityReference): Promise<EntityRemovalPreview> {
    return this.database.read(scope, async (tx) => {
      const user = await this.users.get(tx, code);
      await this.assertAdministers(tx, scope, await this.entities.get(tx, user.userId, entityCode));
      assertReaches(scope, user.level);
      return { code: user.code, entityCode, ...(await this.entities.losses(tx, user.userId, entityCode)) };
    });
  }

  @Handles(removeUserEntity)
  remove(scope: Scope, { code, entityCode }: UserEntityReference, context: WriteContext): Promise<Removed> {
    return context.write(async (tx) => {
      const user = await this.users.lock(tx, code);
      await this.assertAdministers(tx, scope, await this.entities.get(tx, user.userId, entityCode));
      assertReaches(scope, user.level);
      await this.entities.remove(tx, user.userId, entityCode);
      return { removed: true };
    });
  }

  /**
   * A fixed key assigns its own entity, or areas of it. An administrator assigns any, whichever is in focus.
   * @throws NotFound for an entity or area out of reach; Forbidden for the whole entity under a key of an area
   */
  private async assertAdministers(tx: Transaction, scope: Scope, { entityCode, areaCode }: Assignment): Promise<void> {
    if (scope.isFixed !== true) return;
    const reach = await Reach.of(tx, scope);
    if (areaCode === null) reach.assertWholeEntity(entityCode);
    else await this.areas.place(tx, reach, areaCode);
  }
}
