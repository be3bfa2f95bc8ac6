import { call } from '../calls';
import { Address, Code, Flag, Text, Uuid } from '../fields';
import { operators } from '../services';

/** The first group of an installation, with everything for a first search. */
export class FirstGroup {
  @Text({ min: 1, max: 200, description: 'Name of the group' }) readonly groupName!: string;
  @Address({ description: 'Address of the administrator' }) readonly administrator!: string;
  @Text({ max: 1024, optional: true, description: 'Password of the administrator, where it is known already' })
  readonly administratorPassword?: string;
}

export class ProvisionedGroup {
  @Uuid({ description: 'Group' }) readonly groupId!: string;
  @Code({ description: 'Group code' }) readonly groupCode!: string;
  @Code({ description: 'First entity' }) readonly entityCode!: string;
  @Text({ max: 320, description: 'Address of the administrator' }) readonly administrator!: string;
  @Flag({ description: 'False when the group existed before' }) readonly created!: boolean;
  @Text({ max: 400, nullable: true, description: 'The first API key; null when the group existed before' })
  readonly apiKey!: string | null;
}

/** Creates the first group, entity, administrator, role and key, or returns the existing group. Idempotent. */
export const provisionFirstGroup = call({
  code: 'groups.provision_first',
  owner: 'auth',
  effect: 'write',
  scope: 'anonymous',
  callers: operators,
  input: FirstGroup,
  output: ProvisionedGroup,
});

export class NewKey {
  @Text({ min: 1, max: 120, description: 'What the key is for' }) readonly name!: string;
}

export class IssuedKey {
  @Text({ max: 400, description: 'The key; it is shown once and stored hashed' }) readonly apiKey!: string;
}

/** Issues another key for the administrator of the group. */
export const issueAdministratorKey = call({
  code: 'keys.issue_for_administrator',
  owner: 'auth',
  effect: 'write',
  scope: 'work',
  callers: operators,
  input: NewKey,
  output: IssuedKey,
});
