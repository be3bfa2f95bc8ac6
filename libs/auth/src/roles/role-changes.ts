import type { WriteContext } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { assertReaches, isSystem } from '../users/authority';
import { SystemOnly } from '../users/refusals';
import { type RoleRow, RoleStore } from './role.store';
import { isGlobalRole } from './role-tables';

/**
 * Changes of one role: of the caller's group by the service's own login, of all groups by that of the catalogue and
 * for SYSTEM users alone.
 */
export class RoleChanges {
  private readonly roles = new RoleStore();

  constructor(private readonly catalogue: Database) {}

  /** @throws NotFound for a role that the group does not see, SystemOnly and AboveOwnLevel where it is not the caller's to change. */
  change<T>(
    scope: Scope,
    context: WriteContext,
    roleId: number,
    work: (tx: Transaction, role: RoleRow) => Promise<T>,
  ): Promise<T> {
    const changing = async (tx: Transaction): Promise<T> => {
      const role = await this.roles.lock(tx, roleId);
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
