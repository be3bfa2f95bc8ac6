import { NotFound, reorderRoles, type RoleOrder, type RoleRecords } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { assertSystem } from '../users/authority';
import { inOrder } from '../users/ordering';
import { PeopleConflict } from '../users/refusals';
import { isGlobalRole } from './role-tables';
import { recordOf, RoleStore } from './role.store';

/** The order in which roles are listed, of the group's own or of the global ones. */
export class RoleOrderCalls {
  private readonly roles = new RoleStore();

  constructor(private readonly catalogue: Database) {}

  @Handles(reorderRoles)
  reorder(scope: Scope, { places }: RoleOrder, context: WriteContext): Promise<RoleRecords> {
    const ordered = inOrder(places.map(({ roleId, position }) => ({ key: roleId, position })));
    const global = ordered.filter(isGlobalRole).length;
    if (global > 0) assertSystem(scope);
    if (global > 0 && global < ordered.length) throw new PeopleConflict('ROLES_MIXED');
    const work = async (tx: Transaction): Promise<RoleRecords> => {
      if ((await this.roles.order(tx, ordered)) < ordered.length) throw new NotFound();
      const rows = global > 0 ? await this.roles.ofAll(tx) : await this.roles.ofGroup(tx);
      return { items: rows.map((row) => recordOf(row, scope.groupCode)) };
    };
    return global > 0 ? context.writeAs(this.catalogue, work) : context.write(work);
  }
}
