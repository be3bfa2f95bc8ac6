import { Injectable } from '@nestjs/common';
import {
  addUserRole,
  type AssignRole,
  listUserGroups,
  listUserRoles,
  NotFound,
  type OrderUserRoles,
  type Removed,
  removeUserRole,
  type RemoveUserRole,
  reorderUserRoles,
  type UserGroupItems,
  type UserReference,
  type UserRoleItem,
  type UserRoleItems,
  type UserRolePlace,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { protectedRoleIds } from '../kernel/built-in-roles';
import { RoleStore } from '../roles/role.store';
import { assertMayGive, assertReaches } from '../kernel/authority';
import { Directory } from '../accounts/directory';
import { completed, inOrder } from '../kernel/ordering';
import { PeopleConflict } from '../kernel/auth.errors';
import { UserRoleStore } from '../accounts/user-role.store';
import { UserStore } from '../accounts/user.store';

/** The access of users: their roles, and their group. */
@Injectable()
export class UserAccessHandlers {
  constructor(
    private readonly database: Database,
    private readonly directory: Directory,
    private readonly users: UserStore,
    private readonly userRoles: UserRoleStore,
    private readonly roles: RoleStore,
  ) {}

  @Handles(listUserRoles)
  listRoles(scope: Scope, { code }: UserReference): Promise<UserRoleItems> {
    return this.database.read(scope, async (tx) => {
      const { userId } = await this.users.get(tx, code);
      return { items: await this.userRoles.list(tx, userId) };
    });
  }

  @Handles(addUserRole)
  async addRole(scope: Scope, input: AssignRole, context: WriteContext): Promise<UserRoleItem> {
    const { code, groupCode } = input;
    const group = await this.directory.groupFor(scope, groupCode);
    return context.writeUnder(group, async (tx) => {
      const user = await this.users.lock(tx, code);
      assertReaches(scope, user.level);
      const role = await this.roles.named(tx, input);
      context.concerns({ target: `role:${role.code}` });
      assertMayGive(scope, role);
      await this.userRoles.add(tx, user.userId, role.roleId);
      return this.userRoles.get(tx, user.userId, role.roleId);
    });
  }

  @Handles(removeUserRole)
  async removeRole(scope: Scope, input: RemoveUserRole, context: WriteContext): Promise<Removed> {
    const { code, roleId, groupCode } = input;
    const group = await this.directory.groupFor(scope, groupCode);
    return context.writeUnder(group, async (tx) => {
      const user = await this.users.lock(tx, code);
      const { roleCode } = await this.userRoles.get(tx, user.userId, roleId);
      context.concerns({ target: `role:${roleCode}` });
      if (protectedRoleIds.includes(roleId)) throw new PeopleConflict('ROLE_PROTECTED');
      assertReaches(scope, user.level);
      await this.userRoles.remove(tx, user.userId, roleId);
      return { removed: true };
    });
  }

  @Handles(reorderUserRoles)
  reorderRoles(scope: Scope, { code, places }: OrderUserRoles, context: WriteContext): Promise<UserRoleItems> {
    return context.write(async (tx) => {
      const user = await this.users.lock(tx, code);
      const roles = await this.userRoles.list(tx, user.userId);
      const currentRoles = roles.map(({ roleId }) => roleId);
      const numberOf = ({ roleId, roleCode }: UserRolePlace): number =>
        roles.find((role) => (roleId === undefined ? role.roleCode === roleCode : role.roleId === roleId))?.roleId ?? 0;
      const ordered = inOrder(places.map((place) => ({ key: numberOf(place), position: place.position })));
      if (ordered.some((roleId) => !currentRoles.includes(roleId))) throw new NotFound();
      assertReaches(scope, user.level);
      await this.userRoles.order(tx, user.userId, completed(ordered, currentRoles));
      return { items: await this.userRoles.list(tx, user.userId) };
    });
  }

  @Handles(listUserGroups)
  listGroups(scope: Scope, { code }: UserReference): Promise<UserGroupItems> {
    return this.database.read(scope, async (tx) => {
      const group = await this.users.defaultGroup(tx, code);
      return { items: [group] };
    });
  }
}
