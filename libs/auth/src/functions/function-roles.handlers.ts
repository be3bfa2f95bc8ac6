import { Injectable } from '@nestjs/common';
import {
  addFunctionRole,
  type FunctionReference,
  type FunctionRoleRecords,
  type FunctionRoleReference,
  listFunctionRoles,
  type Removed,
  removeFunctionRole,
  type RoleRecord,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { RoleChanges } from '../roles/role-changes';
import { RolePartsStore } from '../roles/role-parts.store';
import { recordOf, RoleStore } from '../roles/role.store';
import { FunctionStore } from './function.store';

/** The roles that give a function. */
@Injectable()
export class FunctionRolesHandlers {
  constructor(
    private readonly database: Database,
    private readonly changes: RoleChanges,
    private readonly functions: FunctionStore,
    private readonly roles: RoleStore,
    private readonly rolePieces: RolePartsStore,
  ) {}

  @Handles(listFunctionRoles)
  listRoles(scope: Scope, { code }: FunctionReference): Promise<FunctionRoleRecords> {
    return this.database.read(scope, async (tx) => {
      await this.functions.get(tx, code);
      const ids = await this.functions.roleIds(tx, code);
      const rows = [...(await this.roles.ofAll(tx)), ...(await this.roles.ofGroup(tx))];
      return {
        items: rows.filter(({ roleId }) => ids.includes(roleId)).map((row) => recordOf(row, scope.groupCode)),
      };
    });
  }

  @Handles(addFunctionRole)
  addRole(scope: Scope, { code, roleId }: FunctionRoleReference, context: WriteContext): Promise<RoleRecord> {
    return this.changes.change(scope, context, roleId, async (tx, role) => {
      await this.rolePieces.addFunction(tx, roleId, code);
      return recordOf(role, scope.groupCode);
    });
  }

  @Handles(removeFunctionRole)
  removeRole(scope: Scope, { code, roleId }: FunctionRoleReference, context: WriteContext): Promise<Removed> {
    return this.changes.change(scope, context, roleId, async (tx) => {
      await this.rolePieces.removeFunction(tx, roleId, code);
      return { removed: true };
    });
  }
}
