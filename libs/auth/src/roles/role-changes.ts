import { Injectable } from '@nestjs/common';
import type { WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { assertReaches, isSystem } from '../kernel/authority';
import { SystemOnly } from '../kernel/auth.errors';
import { type RoleRow, RoleStore } from './role.store';
import { isGlobalRole } from './role-tables';

/**
 * Changes one role. A role of the caller's group is changed by the service's own login. A global role is changed by
 * the login of the catalogue, for SYSTEM users only.
 */
@Injectable()
export class RoleChanges {
  constructor(
    private readonly catalogue: CatalogueDatabase,
    private readonly roles: RoleStore,
  ) {}

  /**
   * @throws NotFound for a role that the group does not see; SystemOnly and AboveOwnLevel for a role that the caller
   * may not change.
   */
  change<T>(
    scope: Scope,
    context: WriteContext,
    roleId: number,
    work: (tx: Transaction, role: RoleRow) => Promise<T>,
  ): Promise<T> {
    const changing = async (tx: Transaction): Promise<T> => {
      const role = await this.roles.lock(tx, roleId);
      context.concerns({ target: `role:${role.code}` });
      assertReaches(scope, role.profile);
      return work(tx, role);
    };
    if (!isGlobalRole(roleId)) return context.write(changing);
    if (isSystem(scope)) return context.writeAs(this.catalogue, changing);
    return context.write(async (tx) => {
      await this.roles.get(tx, roleId);
      throw new SystemOnly();
    });
  }
}
