import { Injectable } from '@nestjs/common';
import {
  addRoleApplication,
  addRoleFunction,
  type ApplicationItem,
  type ApplicationItems,
  type AssignFunction,
  type AssignRoleApplication,
  type CompiledDocument,
  generateRoleDocument,
  listRoleApplications,
  listRoleFunctions,
  NotFound,
  type OrderRoleFunctions,
  type Removed,
  removeRoleApplication,
  removeRoleFunction,
  reorderRoleFunctions,
  type RoleApplicationReference,
  type RoleFunctionItem,
  type RoleFunctionItems,
  type RoleFunctionReference,
  type RoleReference,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { compileRole } from '../function-catalogue/markdown';
import { completed, inOrder } from '../kernel/ordering';
import { RoleChanges } from './role-changes';
import { RolePartsStore } from './role-parts.store';
import { RoleStore } from './role.store';

/** The functions and applications of a role, and its document, which is compiled from them. */
@Injectable()
export class RolePartsHandlers {
  constructor(
    private readonly database: Database,
    private readonly changes: RoleChanges,
    private readonly roles: RoleStore,
    private readonly parts: RolePartsStore,
  ) {}

  @Handles(listRoleFunctions)
  listFunctions(scope: Scope, { roleId }: RoleReference): Promise<RoleFunctionItems> {
    return this.database.read(scope, async (tx) => {
      await this.roles.get(tx, roleId);
      return { items: await this.parts.functions(tx, roleId) };
    });
  }

  @Handles(addRoleFunction)
  addFunction(scope: Scope, input: AssignFunction, context: WriteContext): Promise<RoleFunctionItem> {
    const { roleId, functionCode } = input;
    return this.changes.change(scope, context, roleId, async (tx) => {
      await this.parts.addFunction(tx, roleId, functionCode);
      return this.parts.function(tx, roleId, functionCode);
    });
  }

  @Handles(removeRoleFunction)
  removeFunction(scope: Scope, input: RoleFunctionReference, context: WriteContext): Promise<Removed> {
    return this.changes.change(scope, context, input.roleId, async (tx) => {
      await this.parts.removeFunction(tx, input.roleId, input.functionCode);
      return { removed: true };
    });
  }

  @Handles(reorderRoleFunctions)
  reorderFunctions(scope: Scope, input: OrderRoleFunctions, context: WriteContext): Promise<RoleFunctionItems> {
    const { roleId, places } = input;
    const ordered = inOrder(places.map(({ functionCode, position }) => ({ key: functionCode, position })));
    return this.changes.change(scope, context, roleId, async (tx) => {
      const current = (await this.parts.functions(tx, roleId)).map(({ code }) => code);
      if (ordered.some((code) => !current.includes(code))) throw new NotFound();
      await this.parts.orderFunctions(tx, roleId, completed(ordered, current));
      return { items: await this.parts.functions(tx, roleId) };
    });
  }

  @Handles(listRoleApplications)
  listApplications(scope: Scope, { roleId }: RoleReference): Promise<ApplicationItems> {
    return this.database.read(scope, async (tx) => {
      await this.roles.get(tx, roleId);
      return { items: await this.parts.applications(tx, roleId) };
    });
  }

  @Handles(addRoleApplication)
  addApplication(scope: Scope, input: AssignRoleApplication, context: WriteContext): Promise<ApplicationItem> {
    return this.changes.change(scope, context, input.roleId, (tx) =>
      this.parts.addApplication(tx, input.roleId, input.applicationCode),
    );
  }

  @Handles(removeRoleApplication)
  removeApplication(scope: Scope, input: RoleApplicationReference, context: WriteContext): Promise<Removed> {
    return this.changes.change(scope, context, input.roleId, async (tx) => {
      await this.parts.removeApplication(tx, input.roleId, input.applicationCode);
      return { removed: true };
    });
  }

  @Handles(generateRoleDocument)
  generateDocument(scope: Scope, { roleId }: RoleReference, context: WriteContext): Promise<CompiledDocument> {
    return this.changes.change(scope, context, roleId, async (tx, role) => {
      const [functions, applications] = [
        await this.parts.functions(tx, roleId),
        await this.parts.applications(tx, roleId),
      ];
      const document = compileRole({ ...role, functions, applications });
      const at = await this.roles.keepDocument(tx, roleId, document);
      return { document, documentedAt: at.toISOString() };
    });
  }
}
