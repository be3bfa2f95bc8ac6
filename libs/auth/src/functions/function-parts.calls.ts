import {
  addFunctionApplication,
  addFunctionRole,
  type ApplicationItem,
  type ApplicationItems,
  type AssignFunctionApplication,
  type FunctionApplicationReference,
  type FunctionReference,
  type FunctionRoleRecords,
  type FunctionRoleReference,
  listFunctionApplications,
  listFunctionRoles,
  type Removed,
  removeFunctionApplication,
  removeFunctionRole,
  type RoleRecord,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { ApplicationStore } from '../applications/application.store';
import type { RoleChanges } from '../roles/role-changes';
import { RolePartsStore } from '../roles/role-parts.store';
import { recordOf, RoleStore } from '../roles/role.store';
import { assertSystem } from '../users/authority';
import { FunctionStore } from './function.store';

export interface FunctionPartsParts {
  readonly database: Database;
  readonly catalogue: Database;
  readonly changes: RoleChanges;
}

/** Where functions stand: the applications that show them and the roles that give them. */
export class FunctionPartsCalls {
  private readonly functions = new FunctionStore();
  private readonly applications = new ApplicationStore();
  private readonly roles = new RoleStore();
  private readonly rolePieces = new RolePartsStore();

  constructor(private readonly parts: FunctionPartsParts) {}

  @Handles(listFunctionApplications)
  listApplications(scope: Scope, { code }: FunctionReference): Promise<ApplicationItems> {
    return this.parts.database.read(scope, async (tx) => {
      await this.functions.get(tx, code);
      return { items: await this.functions.applications(tx, code) };
    });
  }

  @Handles(addFunctionApplication)
  async addApplication(
    scope: Scope,
    { code, applicationCode }: AssignFunctionApplication,
    context: WriteContext,
  ): Promise<ApplicationItem> {
    assertSystem(scope);
    return context.writeAs(this.parts.catalogue, async (tx) => {
      await this.functions.get(tx, code);
      const application = await this.applications.get(tx, applicationCode);
      await this.functions.addApplication(tx, code, applicationCode);
      return application;
    });
  }

  @Handles(removeFunctionApplication)
  async removeApplication(
    scope: Scope,
    { code, applicationCode }: FunctionApplicationReference,
    context: WriteContext,
  ): Promise<Removed> {
    assertSystem(scope);
    return context.writeAs(this.parts.catalogue, async (tx) => {
      await this.functions.removeApplication(tx, code, applicationCode);
      return { removed: true };
    });
  }

  @Handles(listFunctionRoles)
  listRoles(scope: Scope, { code }: FunctionReference): Promise<FunctionRoleRecords> {
    return this.parts.database.read(scope, async (tx) => {
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
    return this.parts.changes.change(scope, context, roleId, async (tx, role) => {
      await this.rolePieces.addFunction(tx, roleId, code);
      return recordOf(role, scope.groupCode);
    });
  }

  @Handles(removeFunctionRole)
  removeRole(scope: Scope, { code, roleId }: FunctionRoleReference, context: WriteContext): Promise<Removed> {
    return this.parts.changes.change(scope, context, roleId, async (tx) => {
      await this.rolePieces.removeFunction(tx, roleId, code);
      return { removed: true };
    });
  }
}
