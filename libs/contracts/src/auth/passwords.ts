import { call } from '../calls';
import { Address, Int, Text } from '../fields';
import { operators } from '../services';
import { Nothing, Said, Visitor } from './login';

const own = { owner: 'auth', callers: ['auth'] } as const;

export class SetPassword {
  @Text({ min: 1, max: 512, description: 'Token of the link that arrived by mail; works once' })
  readonly token!: string;
  @Text({ max: 1024, description: 'The new password: 10 characters or more' }) readonly password!: string;
}

/** Whether what was set belongs to somebody who is still to be created. */
export class PasswordSet extends Said {
  @Text({ max: 320, nullable: true, description: 'Address of a registration that this confirmed' })
  readonly registration!: string | null;
}

export const setPasswordByToken = call({
  ...own,
  code: 'passwords.set_by_token',
  effect: 'write',
  scope: 'anonymous',
  input: SetPassword,
  output: PasswordSet,
});

export class RecoveryRequest {
  @Text({ min: 1, max: 320, description: 'Address of the user' }) readonly email!: string;
}

export class RecoveryFrom extends Visitor {
  @Text({ min: 1, max: 320, description: 'Address of the user' }) readonly email!: string;
}

const mailed = { ...own, effect: 'read', scope: 'anonymous', output: Said } as const;

/** Both answer the same whoever asks; what they lead to begins after the answer. */
export const recoverPassword = call({ ...mailed, code: 'passwords.recover', input: RecoveryFrom });
export const resendInvitation = call({ ...mailed, code: 'invitations.resend', input: RecoveryFrom });

export class PersonInGroup {
  @Text({ max: 64, description: 'User' }) readonly userId!: string;
  @Text({ max: 20, description: 'What the link is for' }) readonly purpose!: 'INVITACION' | 'RECUPERACION';
}

export class IssuedLink {
  @Text({ max: 1024, description: 'The link, for the person alone' }) readonly link!: string;
}

/** Makes a link with which a person sets a password. */
export const issuePasswordLink = call({
  ...own,
  callers: ['auth', ...operators],
  code: 'passwords.issue_link',
  effect: 'write',
  scope: 'work',
  input: PersonInGroup,
  output: IssuedLink,
});

/** The same for the administrator of an installation, asked for on its own machine. */
export const issueAdministratorLink = call({
  owner: 'auth',
  callers: operators,
  code: 'passwords.issue_administrator_link',
  effect: 'write',
  scope: 'work',
  input: Nothing,
  output: IssuedLink,
});

export class PublicRegistration {
  @Address({ description: 'Address of the person' }) readonly email!: string;
  @Text({ min: 1, max: 200, wire: 'nombre', description: 'Name of the person' }) readonly name!: string;
  @Text({ min: 1, max: 200, wire: 'nombre_grupo', description: 'Name of the organisation' })
  readonly groupName!: string;
}

export class RegistrationFrom extends Visitor {
  @Address({ description: 'Address of the person' }) readonly email!: string;
  @Text({ min: 1, max: 200, description: 'Name of the person' }) readonly name!: string;
  @Text({ min: 1, max: 200, description: 'Name of the organisation' }) readonly groupName!: string;
}

export const registerPublicly = call({ ...mailed, code: 'registrations.register', input: RegistrationFrom });
/** The route that it answers is retired: nothing comes of it, and it says no more than the other one. */
export const registerRetired = call({ ...mailed, code: 'registrations.register_retired', input: RegistrationFrom });

export class RegistrationName {
  @Text({ max: 320, description: 'Address of the person' }) readonly email!: string;
}

/** Makes group, entity, user and first roles of a registration whose address was confirmed. */
export const seedRegistration = call({
  ...own,
  code: 'registrations.seed',
  effect: 'write',
  scope: 'anonymous',
  input: RegistrationName,
  output: Said,
});

export class CompletedRegistrations {
  @Int({ wire: 'completados', description: 'Registrations that were completed' }) readonly completed!: number;
  @Int({ wire: 'fallidos', description: 'Registrations that could not be completed' }) readonly failed!: number;
}
