import { Injectable } from '@nestjs/common';
import { createUser, type UserDraft, type UserRecord } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { UserEntityStore } from '../entities/user-entity.store';
import { RoleStore } from '../roles/role.store';
import { assertMayGive } from '../kernel/authority';
import { FirstPasswords, type HashedPassword, Invitations } from '../passwords/invitations';
import { UserRoleStore } from '../accounts/user-role.store';
import { recordOf, UserStore } from '../accounts/user.store';

/** Creates users of the active group: with a password, or with an invitation to choose one. */
@Injectable()
export class UserCreationHandlers {
  constructor(
    private readonly users: UserStore,
    private readonly userRoles: UserRoleStore,
    private readonly userEntities: UserEntityStore,
    private readonly roles: RoleStore,
    private readonly invitations: Invitations,
    private readonly passwords: FirstPasswords,
  ) {}

  @Handles(createUser)
  async create(scope: Scope, draft: UserDraft, context: WriteContext): Promise<UserRecord> {
    const { invitations, passwords } = this;
    await this.users.assertFree(scope, draft.code);
    const password = draft.password === undefined ? undefined : await passwords.hash(draft.password);
    const invitation = password === undefined ? await invitations.count(scope) : undefined;
    const { row, afterwards } = await context
      .write(async (tx) => {
        await this.make(scope, tx, draft, password);
        const afterCommit = invitation && (await invitations.invite(tx, draft.code));
        return { row: await this.users.get(tx, draft.code), afterwards: afterCommit };
      })
      .catch(async (error: unknown) => {
        await invitation?.refund();
        throw error;
      });
    afterwards?.();
    return recordOf(row);
  }

  private async make(scope: Scope, tx: Transaction, draft: UserDraft, password?: HashedPassword): Promise<void> {
    const state = password === undefined ? 'PENDIENTE' : 'ACTIVO';
    const userId = await this.users.create(tx, { email: draft.code, name: draft.name, state });
    if (password !== undefined) await this.passwords.keep(tx, userId, password);
    if (draft.roleId !== undefined || draft.roleCode !== undefined) {
      const role = await this.roles.named(tx, draft);
      assertMayGive(scope, role);
      await this.userRoles.add(tx, userId, role.roleId);
    }
    for (const entity of new Set(draft.entities)) await this.userEntities.add(tx, userId, entity, null);
  }
}
