import { Injectable } from '@nestjs/common';
import {
  type Assignee,
  type AssigneeRequest,
  assertRoleExists,
  type Empty,
  findAssignee,
  type NamedRole,
  NotFound,
  type AssigneeReach,
  reachesEntity,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { levelOf, type Scope, type WorkScope } from '@acervo/rbac';
import { type UserRow, UserStore } from '../accounts/user.store';
import { UserEntityStore } from '../entities/user-entity.store';
import { RoleStore } from '../roles/role.store';

/** Nothing where a user is gone. @throws any other error */
const absent = (error: unknown): undefined => {
  if (!(error instanceof NotFound)) throw error;
  return undefined;
};

/** People and roles that work is assigned to. */
@Injectable()
export class AssigneesHandlers {
  constructor(
    private readonly database: Database,
    private readonly users: UserStore,
    private readonly entities: UserEntityStore,
    private readonly roles: RoleStore,
  ) {}

  /**
   * Administrators reach every entity, others those that they have. A key that is fixed to a part of the group finds
   * those alone who reach one of its entities.
   */
  @Handles(findAssignee)
  find(scope: Scope, { code, entityCode }: AssigneeRequest): Promise<Assignee> {
    return this.database.read(scope, async (tx) => {
      const user = await this.users.get(tx, code);
      const within = entityCode === null ? (scope.isFixed === true ? scope.entities : null) : [entityCode];
      if (within !== null && !(await this.reaches(tx, user, within))) throw new NotFound();
      return { userId: user.userId, code: user.code };
    });
  }

  @Handles(reachesEntity)
  reach(scope: WorkScope, { code, entityCode }: AssigneeRequest): Promise<AssigneeReach> {
    return this.database.read(scope, async (tx) => {
      const user = await this.users.get(tx, code).catch(absent);
      if (user === undefined || entityCode === null) return { reaches: user !== undefined };
      return { reaches: await this.reaches(tx, user, [entityCode]) };
    });
  }

  @Handles(assertRoleExists)
  assertRole(scope: Scope, role: NamedRole): Promise<Empty> {
    return this.database.read(scope, async (tx) => {
      await this.roles.named(tx, role);
      return {};
    });
  }

  private async reaches(tx: Transaction, { userId, level }: UserRow, entities: readonly string[]): Promise<boolean> {
    if (level !== null && levelOf(level) >= levelOf('ADMINISTRADOR')) return true;
    return (await this.entities.list(tx, userId)).some(({ entityCode }) => entities.includes(entityCode));
  }
}
