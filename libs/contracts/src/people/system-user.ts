import { userState, type UserState } from '@acervo/public-mapping';
import { call } from '../calls';
import { Address, Choice, Flag, Uuid } from '../fields';
import { operators } from '../services';

export class SystemUser {
  @Address({ names: 'new user', description: 'Address of the person' }) readonly email!: string;
}

export class MadeSystemUser {
  @Uuid({ description: 'User' }) readonly userId!: string;
  @Flag({ description: 'False when the account was there before' }) readonly created!: boolean;
  @Choice(userState.internalCodes, { description: 'State of the account' }) readonly state!: UserState;
}

/**
 * Gives the SYSTEM role to a person of the installation's own group; creates an account if there is none. Only an
 * operator who can start the program sends it: no route does.
 */
export const makeSystemUser = call({
  code: 'users.make_system',
  owner: 'auth',
  effect: 'write',
  scope: 'work',
  callers: operators,
  input: SystemUser,
  output: MadeSystemUser,
});
