import { Injectable } from '@nestjs/common';
import {
  type ChangeApplication,
  changeApplication,
  type ChangeEntity,
  changeEntity,
  type ChangeGroup,
  changeGroup,
  describeSession,
  type Empty,
  NotFound,
  type UserContext,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { FocusHandlers } from '../focus/focus.handlers';
import { UserRoleStore } from '../accounts/user-role.store';
import { ContextStore } from './context.store';
import { homeOf } from '../kernel/home';

/** The context of a session: group, entity, application. Changes apply to this session alone. */
@Injectable()
export class ContextHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: ContextStore,
    private readonly roles: UserRoleStore,
    private readonly focus: FocusHandlers,
  ) {}

  @Handles(describeSession)
  async describe(scope: Scope, _input: Empty): Promise<UserContext> {
    const { userCode, userName, groupCode, activeEntity, effectiveArea, roleCode, profile, functions } = scope;
    const group = await this.database.read(scope, (tx) => this.store.group(tx, scope.entities));
    const chosen = await this.database.read(homeOf(scope), async (tx) => ({
      activeApplication: await this.store.application(tx, scope.credentialId),
      roles: await this.roles.list(tx, scope.userId),
    }));
    return {
      ...{ userCode, userName, groupCode, activeEntity, roleCode, profile, functions },
      ...group,
      activeArea: effectiveArea,
      ...chosen,
      assurance: scope.assurance === 2 ? 'aal2' : 'aal1',
    };
  }

  /** @throws NotFound for an entity that the user does not have, exactly as for a missing one. */
  @Handles(changeEntity)
  async changeEntity(scope: Scope, { entityCode }: ChangeEntity, context: WriteContext): Promise<Empty> {
    await this.focus.focusOnEntity(scope, entityCode, context);
    return {};
  }

  /** A user belongs to one group; SYSTEM users may act in any. The first entity of the group applies. */
  @Handles(changeGroup)
  async changeGroup(scope: Scope, { groupCode }: ChangeGroup, context: WriteContext): Promise<Empty> {
    const groupId = await this.store.groupId(groupCode);
    if (groupId === undefined || (scope.profile !== 'SISTEMA' && groupId !== scope.groupId)) throw new NotFound();
    const entity =
      scope.profile === 'SISTEMA'
        ? await this.database.read({ groupId }, (tx) => this.store.firstEntity(tx))
        : (scope.entities.toSorted()[0] ?? null);
    await context.writeUnder(homeOf(scope), (tx) => this.store.setGroup(tx, scope.credentialId, groupId, entity));
    return {};
  }

  /** @throws NotFound for an application that is not enabled for the caller, exactly as for a missing one. */
  @Handles(changeApplication)
  async changeApplication(scope: Scope, input: ChangeApplication, context: WriteContext): Promise<Empty> {
    const { applicationCode } = input;
    const enabled = await this.database.read(scope, (tx) =>
      this.store.hasApplication(tx, applicationCode, scope.functions),
    );
    if (!enabled) throw new NotFound();
    await context.writeUnder(homeOf(scope), (tx) => this.store.setApplication(tx, scope.credentialId, applicationCode));
    return {};
  }
}
