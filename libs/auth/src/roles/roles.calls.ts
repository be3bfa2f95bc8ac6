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
import type { Database, Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { assertMayGive, assertReaches, assertSystem } from '../users/authority';
import type { Directory } from '../users/directory';
import { PeopleConflict } from '../users/refusals';
import type { RoleChanges } from './role-changes';
import { RolePartsStore } from './role-parts.store';
import { FIRST_ADDED_ROLE, FIRST_GROUP_ROLE } from './role-tables';
import { type NewRole, recordOf, RoleStore } from './role.store';

export interface RolesParts {
  readonly database: Database;
  readonly catalogue: Database;
  readonly directory: Directory;
  readonly changes: RoleChanges;
}

interface CopiedRole {
  readonly role: NewRole;
  readonly functions: readonly string[];
  readonly applications: readonly string[];
}

/** Roles of the active group, and the global ones beside them. */
export class RolesCalls {
  private readonly roles = new RoleStore();
  private readonly rolePieces = new RolePartsStore();

  constructor(private readonly parts: RolesParts) {}

  @Handles(listRoles)
  async list(scope: Scope, { groupCode, includeGlobal }: RoleListRequest): Promise<RoleRecords> {
    const group = await this.parts.directory.groupFor(scope, groupCode);
    return this.parts.database.read(group, async (tx) => {
      const rows = [...(includeGlobal ? await this.roles.ofAll(tx) : []), ...(await this.roles.ofGroup(tx))];
      return { items: rows.map((row) => recordOf(row, group.groupCode)) };
    });
  }

  @Handles(listGlobalRoles)
  listGlobal(scope: Scope, { application }: GlobalRoleListRequest): Promise<RoleRecords> {
    return this.parts.database.read(scope, async (tx) => {
      const rows = await this.roles.ofAll(tx, application);
      return { items: rows.map((row) => recordOf(row, scope.groupCode)) };
    });
  }

  @Handles(getRole)
  get(scope: Scope, { roleId }: RoleReference): Promise<RoleRecord> {
    return this.parts.database.read(scope, async (tx) => recordOf(await this.roles.get(tx, roleId), scope.groupCode));
  }

  @Handles(createRole)
  async create(scope: Scope, draft: RoleDraft, context: WriteContext): Promise<RoleRecord> {
    const { code, name, profile, groupCode, description = '' } = draft;
    const role = { code, name, profile, description };
    assertReaches(scope, profile);
    if (groupCode === undefined || groupCode === null) {
      assertSystem(scope);
      return context.writeAs(this.parts.catalogue, async (tx) => {
        const roleId = await this.roles.createGlobal(tx, role);
        return recordOf(await this.roles.get(tx, roleId), scope.groupCode);
      });
    }
    const group = await this.parts.directory.groupFor(scope, groupCode);
    return context.writeUnder(group, async (tx) => {
      const roleId = await this.roles.create(tx, role);
      return recordOf(await this.roles.get(tx, roleId), group.groupCode);
    });
  }

  @Handles(copyRole)
  async copy(scope: Scope, input: RoleCopy, context: WriteContext): Promise<RoleRecord> {
    const group = await this.parts.directory.groupFor(scope, input.groupCode);
    const { role, functions, applications } = await this.parts.database.read(scope, (tx) =>
      this.original(scope, tx, input),
    );
    return context.writeUnder(group, async (tx) => {
      const roleId = await this.roles.create(tx, role);
      for (const code of functions) await this.rolePieces.addFunction(tx, roleId, code);
      for (const code of applications) await this.rolePieces.addApplication(tx, roleId, code);
      return recordOf(await this.roles.get(tx, roleId), group.groupCode);
    });
  }

  @Handles(updateRole)
  update(scope: Scope, { roleId, ...change }: RoleUpdate, context: WriteContext): Promise<RoleRecord> {
    return this.parts.changes.change(scope, context, roleId, async (tx) => {
      assertReaches(scope, change.profile ?? null);
      if (roleId < FIRST_ADDED_ROLE && (change.code !== undefined || change.profile !== undefined))
        throw new PeopleConflict('ROLE_BUILT_IN');
      await this.roles.update(tx, roleId, change);
      return recordOf(await this.roles.get(tx, roleId), scope.groupCode);
    });
  }

  @Handles(deleteRole)
  delete(scope: Scope, { roleId }: RoleReference, context: WriteContext): Promise<Removed> {
    return this.parts.changes.change(scope, context, roleId, async (tx) => {
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

  /** Holders of a global role are spread over groups that nobody reads at once; without the role they have it no more. */
  private async assertNobodyHolds(tx: Transaction, roleId: number): Promise<void> {
    if (roleId < FIRST_GROUP_ROLE) return;
    const users = await this.roles.holders(tx, roleId);
    if (users > 0) throw new PeopleConflict('ROLE_STILL_HELD', { users });
  }
}
