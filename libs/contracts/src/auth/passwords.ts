import { call } from '../calls';
import { Empty } from '../empty';
import { Address, Flag, Int, Text, TypedAddress, Uuid } from '../fields';
import { operators } from '../services';
import { Confirmation, ClientInfo } from './login';

const ownedByAuth = { owner: 'auth', callers: ['auth'] } as const;

export class SetPassword {
  @Text({ min: 1, max: 512, description: 'Token of the link that arrived by mail; works once' })
  readonly token!: string;
  @Text({ max: 1024, description: 'The new password: 10 characters or more' }) readonly password!: string;
  @Flag({
    wire: 'revocar_claves',
    optional: true,
    description: 'Also revokes the API keys of the account; the first confirmation of an address always does',
  })
  readonly revokeKeys?: boolean;
}

/** Whether the password belongs to a user who is not created yet. */
export class PasswordSet extends Confirmation {
  @Text({ max: 320, nullable: true, description: 'Address of a registration that this confirmed' })
  readonly registration!: string | null;
  @Text({ max: 320, optional: true, description: 'Address of the account, for the log' })
  readonly account?: string;
}

export const setPasswordByToken = call({
  ...ownedByAuth,
  code: 'passwords.set_by_token',
  effect: 'write',
  scope: 'anonymous',
  input: SetPassword,
  output: PasswordSet,
});

export class RecoveryRequest {
  @TypedAddress({ names: 'user', min: 1, description: 'Address of the user' }) readonly email!: string;
}

export class ClientRecoveryRequest extends ClientInfo {
  @TypedAddress({ names: 'user', min: 1, description: 'Address of the user' }) readonly email!: string;
}

const mailed = { ...ownedByAuth, effect: 'read', scope: 'anonymous', output: Confirmation } as const;

/** Both give the same answer for every address; their effect begins after the answer. */
export const recoverPassword = call({ ...mailed, code: 'passwords.recover', input: ClientRecoveryRequest });
export const resendInvitation = call({ ...mailed, code: 'invitations.resend', input: ClientRecoveryRequest });

export class PersonInGroup {
  @Uuid({ names: 'user', description: 'User' }) readonly userId!: string;
  @Text({ max: 20, description: 'What the link is for' }) readonly purpose!: 'INVITACION' | 'RECUPERACION';
}

export class IssuedLink {
  @Text({ max: 1024, description: 'The link, for the person alone' }) readonly link!: string;
}

export class AdministratorLink extends IssuedLink {
  @Text({ max: 320, description: 'Address of the administrator' }) readonly administrator!: string;
}

/** Creates a link that lets a user set a password. */
export const issuePasswordLink = call({
  ...ownedByAuth,
  callers: ['auth', ...operators],
  code: 'passwords.issue_link',
  effect: 'write',
  scope: 'work',
  input: PersonInGroup,
  output: IssuedLink,
});

/** The same for the administrator of an installation, requested on the machine itself. */
export const issueAdministratorLink = call({
  owner: 'auth',
  callers: operators,
  code: 'passwords.issue_administrator_link',
  effect: 'write',
  scope: 'work',
  input: Empty,
  output: AdministratorLink,
});

export class PublicRegistration {
  @Address({ names: 'user', description: 'Address of the person' }) readonly email!: string;
  @Text({ min: 1, max: 200, wire: 'nombre', description: 'Name of the person' }) readonly name!: string;
  @Text({ min: 1, max: 200, wire: 'nombre_grupo', description: 'Name of the organisation' })
  readonly groupName!: string;
}

export class ClientRegistrationRequest extends ClientInfo {
  @Address({ names: 'user', description: 'Address of the person' }) readonly email!: string;
  @Text({ min: 1, max: 200, description: 'Name of the person' }) readonly name!: string;
  @Text({ min: 1, max: 200, description: 'Name of the organisation' }) readonly groupName!: string;
}

export const registerPublicly = call({ ...mailed, code: 'registrations.register', input: ClientRegistrationRequest });
/** Answers a retired route: no effect, and an answer as uninformative as that of `registrations.register`. */
export const registerRetired = call({
  ...mailed,
  code: 'registrations.register_retired',
  input: ClientRegistrationRequest,
});

export class RegistrationName {
  @TypedAddress({ names: 'user', description: 'Address of the person' }) readonly email!: string;
}

/** Creates group, entity, user and first roles of a registration with a confirmed address. */
export const seedRegistration = call({
  ...ownedByAuth,
  code: 'registrations.seed',
  effect: 'write',
  scope: 'anonymous',
  input: RegistrationName,
  output: Confirmation,
});

export class CompletedRegistrations {
  @Int({ wire: 'completados', description: 'Registrations that were completed' }) readonly completed!: number;
  @Int({ wire: 'fallidos', description: 'Registrations that could not be completed' }) readonly failed!: number;
}
