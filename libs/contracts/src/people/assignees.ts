import { roleCode } from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Address, Code, Flag, Uuid } from '../fields';

export class AssigneeRequest {
  @Address({ names: 'user', description: 'Code of the user: an address' }) readonly code!: string;
  @Code({ names: 'entity', nullable: true, description: 'The entity that the work concerns; null for the whole group' })
  readonly entityCode!: string | null;
}

export class Assignee {
  @Uuid({ description: 'User' }) readonly userId!: string;
  @Address({ description: 'Code of the user: an address' }) readonly code!: string;
}

export class AssigneeReach {
  @Flag({ description: 'Whether the user reaches the entity' }) readonly reaches!: boolean;
}

export class NamedRole {
  @Code({ names: 'role', publicly: roleCode, description: 'Code of the role' }) readonly roleCode!: string;
}

const asked = { owner: 'auth', scope: 'user', effect: 'read', callers: ['operations'] } as const;

/**
 * The user of an address whom work may be assigned to.
 * @throws NotFound for one outside of the group, and for one who does not reach the entity
 */
export const findAssignee = call({ ...asked, code: 'users.find_assignee', input: AssigneeRequest, output: Assignee });

/** @throws NotFound for a role that the group does not have */
export const assertRoleExists = call({
  ...asked,
  reach: 'group',
  code: 'roles.assert_exists',
  input: NamedRole,
  output: Empty,
});

/** Whether a user reaches an entity, for work that no request begins; false for a user who is gone. */
export const reachesEntity = call({
  ...asked,
  scope: 'work',
  code: 'users.reaches_entity',
  input: AssigneeRequest,
  output: AssigneeReach,
});
