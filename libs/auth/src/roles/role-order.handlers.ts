import { Injectable } from '@nestjs/common';
import { NotFound, reorderRoles, type RoleOrder, type RoleRecords } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { assertSystem } from '../kernel/authority';
import { inOrder } from '../kernel/ordering';
import { PeopleConflict } from '../kernel/auth.errors';
import { isGlobalRole } from './role-tables';
import { recordOf, RoleStore } from './role.store';

/** The order in which roles are listed: the group's own, or the global ones. */
@Injectable()
export class RoleOrderHandlers {
  constructor(
    private readonly catalogue: CatalogueDatabase,
    private readonly roles: RoleStore,
  ) {}

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
