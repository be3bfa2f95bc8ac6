import { Injectable } from '@nestjs/common';
import { type MadeSystemUser, makeSystemUser, NotFound, type SystemUser } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { SYSTEM } from '../kernel/built-in-roles';
import { UserRoleStore } from '../accounts/user-role.store';
import { type UserRow, UserStore } from '../accounts/user.store';

/** Creates SYSTEM users, for an admin command. */
@Injectable()
export class SystemUserHandlers {
  constructor(
    private readonly users: UserStore,
    private readonly roles: UserRoleStore,
  ) {}

  @Handles(makeSystemUser)
  async make(scope: WorkScope, { email }: SystemUser, context: WriteContext): Promise<MadeSystemUser> {
    await this.users.assertFree(scope, email);
    return context.write(async (tx) => {
      const existing = await this.find(tx, email);
      const userId = existing?.userId ?? (await this.users.create(tx, { email, name: email, state: 'PENDIENTE' }));
      await this.users.awaitOwner(tx, userId);
      await this.giveFirst(tx, userId);
      const { state } = await this.users.get(tx, email);
      return { userId, created: existing === undefined, state };
    });
  }

  /** Makes this role the one that sessions open with. */
  private async giveFirst(tx: Transaction, userId: string): Promise<void> {
    const currentRoles = (await this.roles.list(tx, userId)).map(({ roleId }) => roleId);
    if (!currentRoles.includes(SYSTEM.id)) await this.roles.add(tx, userId, SYSTEM.id);
    await this.roles.order(tx, userId, [SYSTEM.id, ...currentRoles.filter((roleId) => roleId !== SYSTEM.id)]);
  }

  private async find(tx: Transaction, email: string): Promise<UserRow | undefined> {
    try {
      return await this.users.lock(tx, email);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}
