import { Injectable } from '@nestjs/common';
import {
  copyRole,
  createRole,
  deleteRole,
  getRole,
  type GlobalRoleListRequest,
  listGlobalRoles,
  listRoles,
  type Removed,
  type RoleCopy,
  type RoleDraft,
  type RoleListRequest,
  type RoleRecord,
  type RoleRecords,
  type RoleReference,
  type RoleUpdate,
  updateRole,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { assertMayGive, assertReaches, assertSystem } from '../kernel/authority';
import { Directory } from '../accounts/directory';
import { PeopleConflict } from '../kernel/auth.errors';
import { RoleChanges } from './role-changes';
import { RolePartsStore } from './role-parts.store';
import { FIRST_ADDED_ROLE, FIRST_GROUP_ROLE } from './role-tables';
import { type NewRole, recordOf, RoleStore } from './role.store';

interface CopiedRole {
  readonly role: NewRole;
  readonly functions: readonly string[];
  readonly applications: readonly string[];
}

/** Roles of the active group, and the global ones. */
@Injectable()
export class RolesHandlers {
  constructor(
    private readonly database: Database,
    private readonly catalogue: CatalogueDatabase,
    private readonly directory: Directory,
    private readonly changes: RoleChanges,
    private readonly roles: RoleStore,
    private readonly rolePieces: RolePartsStore,
  ) {}

  @Handles(listRoles)
  async list(scope: Scope, { groupCode, includeGlobal }: RoleListRequest): Promise<RoleRecords> {
    const group = await this.directory.groupFor(scope, groupCode);
    return this.database.read(group, async (tx) => {
      const rows = [...(includeGlobal ? await this.roles.ofAll(tx) : []), ...(await this.roles.ofGroup(tx))];
      return { items: rows.map((row) => recordOf(row, group.groupCode)) };
    });
  }

  @Handles(listGlobalRoles)
  listGlobal(scope: Scope, { application }: GlobalRoleListRequest): Promise<RoleRecords> {
    return this.database.read(scope, async (tx) => {
      const rows = await this.roles.ofAll(tx, application);
      return { items: rows.map((row) => recordOf(row, scope.groupCode)) };
    });
  }

  @Handles(getRole)
  get(scope: Scope, { roleId }: RoleReference): Promise<RoleRecord> {
    return this.database.read(scope, async (tx) => recordOf(await this.roles.get(tx, roleId), scope.groupCode));
  }

  @Handles(createRole)
  async create(scope: Scope, draft: RoleDraft, context: WriteContext): Promise<RoleRecord> {
    const { code, name, profile, groupCode, description = '' } = draft;
    const role = { code, name, profile, description };
    assertReaches(scope, profile);
    if (groupCode === undefined || groupCode === null) {
      assertSystem(scope);
      return context.writeAs(this.catalogue, async (tx) => {
        const roleId = await this.roles.createGlobal(tx, role);
        return recordOf(await this.roles.get(tx, roleId), scope.groupCode);
      });
    }
    const group = await this.directory.groupFor(scope, groupCode);
    return context.writeUnder(group, async (tx) => {
      const roleId = await this.roles.create(tx, role);
      return recordOf(await this.roles.get(tx, roleId), group.groupCode);
    });
  }

  @Handles(copyRole)
  async copy(scope: Scope, input: RoleCopy, context: WriteContext): Promise<RoleRecord> {
    const group = await this.directory.groupFor(scope, input.groupCode);
    const { role, functions, applications } = await this.database.read(scope, (tx) => this.original(scope, tx, input));
    return context.writeUnder(group, async (tx) => {
      const roleId = await this.roles.create(tx, role);
      for (const code of functions) await this.rolePieces.addFunction(tx, roleId, code);
      for (const code of applications) await this.rolePieces.addApplication(tx, roleId, code);
      return recordOf(await this.roles.get(tx, roleId), group.groupCode);
    });
  }

  @Handles(updateRole)
  update(scope: Scope, { roleId, ...change }: RoleUpdate, context: WriteContext): Promise<RoleRecord> {
    return this.changes.change(scope, context, roleId, async (tx) => {
      assertReaches(scope, change.profile ?? null);
      if (roleId < FIRST_ADDED_ROLE && (change.code !== undefined || change.profile !== undefined))
        throw new PeopleConflict('ROLE_BUILT_IN');
      await this.roles.update(tx, roleId, change);
      return recordOf(await this.roles.get(tx, roleId), scope.groupCode);
    });
  }

  @Handles(deleteRole)
  delete(scope: Scope, { roleId }: RoleReference, context: WriteContext): Promise<Removed> {
    return this.changes.change(scope, context, roleId, async (tx) => {
      if (roleId < FIRST_ADDED_ROLE) throw new PeopleConflict('ROLE_BUILT_IN');
      await this.assertNobodyHolds(tx, roleId);
      await this.roles.delete(tx, roleId);
      return { removed: true };
    });
  }

  private async original(scope: Scope, tx: Transaction, { roleId, code, name }: RoleCopy): Promise<CopiedRole> {
    const original = await this.roles.get(tx, roleId);
    assertMayGive(scope, original);
    const [functions, applications] = [
      await this.rolePieces.functions(tx, roleId),
      await this.rolePieces.applications(tx, roleId),
    ];
    return {
      role: { ...original, code: code ?? original.code, name: name ?? original.name },
      functions: functions.map((each) => each.code),
      applications: applications.map((each) => each.code),
    };
  }

  /**
   * Users with a global role are spread over groups, and no transaction reads all of them. Once the role is deleted
   * they no longer have it.
   */
  private async assertNobodyHolds(tx: Transaction, roleId: number): Promise<void> {
    if (roleId < FIRST_GROUP_ROLE) return;
    const users = await this.roles.holders(tx, roleId);
    if (users > 0) throw new PeopleConflict('ROLE_STILL_HELD', { users });
  }
}
