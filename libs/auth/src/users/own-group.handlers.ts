import { Injectable } from '@nestjs/common';
import { changeOwnGroup, type OwnGroupChange, type UserRecord } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { RoleStore } from '../roles/role.store';
import { assertSystem } from '../kernel/authority';
import { Directory } from '../accounts/directory';
import { PeopleConflict } from '../kernel/auth.errors';
import { recordOf, UserStore } from '../accounts/user.store';

/** The group that sessions of a SYSTEM user begin in. */
@Injectable()
export class OwnGroupHandlers {
  constructor(
    private readonly database: Database,
    private readonly directory: Directory,
    private readonly users: UserStore,
    private readonly roles: RoleStore,
  ) {}

  @Handles(changeOwnGroup)
  async changeOwnGroup(scope: Scope, { groupCode }: OwnGroupChange, context: WriteContext): Promise<UserRecord> {
    assertSystem(scope);
    const target = await this.directory.groupFor(scope, groupCode);
    const home = scope.homeGroupId ?? scope.groupId;
    const first = await this.database.read(target, (tx) => this.roles.firstOf(tx));
    if (first === undefined) throw new PeopleConflict('NO_ROLE_THERE');
    return context.writeUnder({ groupId: home }, async (tx) => {
      const { userId } = await this.users.lock(tx, scope.userCode);
      const isHome = target.groupId === home;
      await this.users.start(tx, userId, { group: isHome ? null : target, role: first });
      return recordOf(await this.users.get(tx, scope.userCode));
    });
  }
}
