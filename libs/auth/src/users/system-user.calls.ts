import { type MadeSystemUser, makeSystemUser, NotFound, type SystemUser } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { SYSTEM } from '../catalogue/roles';
import { UserRoleStore } from './user-role.store';
import { type UserRow, UserStore } from './user.store';

/** Makes those who run the installation, at the command of whoever starts it. */
export class SystemUserCalls {
  private readonly users = new UserStore();
  private readonly roles = new UserRoleStore();

  @Handles(makeSystemUser)
  make(_scope: WorkScope, { email }: SystemUser, context: WriteContext): Promise<MadeSystemUser> {
    return context.write(async (tx) => {
      const known = await this.find(tx, email);
      const userId = known?.userId ?? (await this.users.create(tx, { email, name: email, state: 'PENDIENTE' }));
      await this.giveFirst(tx, userId);
      return { userId, created: known === undefined, state: known?.state ?? 'PENDIENTE' };
    });
  }

  /** The role that sessions open with is this one from now on. */
  private async giveFirst(tx: Transaction, userId: string): Promise<void> {
    const held = (await this.roles.list(tx, userId)).map(({ roleId }) => roleId);
    if (!held.includes(SYSTEM.id)) await this.roles.add(tx, userId, SYSTEM.id);
    await this.roles.order(tx, userId, [SYSTEM.id, ...held.filter((roleId) => roleId !== SYSTEM.id)]);
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
