import {
  NotFound,
  registerPublicly,
  registerRetired,
  type RegistrationFrom,
  type RegistrationName,
  type Said,
  seedRegistration,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Mail, Post } from '@acervo/platform-mail';
import type { Anonymous } from '@acervo/rbac';
import type { Guesses } from '../guesses/guesses';
import { letters, passwordLink } from '../mails/letters';
import type { AccountStore } from '../passwords/account.store';
import type { RegistrationStore } from './registration.store';

export interface RegistrationParts {
  readonly registrations: RegistrationStore;
  readonly accounts: AccountStore;
  readonly guesses: Guesses;
  readonly post: Post;
  readonly publicUrl: string;
}

const REGISTERED = 'Si la dirección puede registrarse, enviamos un correo para confirmarla.';

/** People who make an account, and a group with it, by themselves. */
export class RegistrationService {
  constructor(private readonly parts: RegistrationParts) {}

  @Handles(registerPublicly)
  async register(_scope: Anonymous, input: RegistrationFrom): Promise<Said> {
    await this.parts.guesses.visit(input.address);
    this.parts.post.later(() => this.invite(input));
    return { message: REGISTERED };
  }

  @Handles(registerRetired)
  async registerRetired(_scope: Anonymous, { address }: RegistrationFrom): Promise<Said> {
    await this.parts.guesses.visit(address);
    return { message: REGISTERED };
  }

  @Handles(seedRegistration)
  async seed(_scope: Anonymous, { email }: RegistrationName, context: WriteContext): Promise<Said> {
    const { registrations } = this.parts;
    const registration = await registrations.confirmed(email);
    if (registration === undefined) throw new NotFound();
    await context.writeIn(registration, (tx) => registrations.seed(tx, registration));
    return { message: 'Cuenta creada.' };
  }

  /** Somebody who has an account gets no letter: it would tell nothing that the account does not. */
  private async invite({ email, name, groupName }: RegistrationFrom): Promise<Mail | undefined> {
    const { accounts, guesses, registrations, publicUrl } = this.parts;
    if ((await accounts.find(email)) !== undefined || !(await guesses.mayMail(email))) return undefined;
    const token = await registrations.await(email, name, groupName);
    return token === undefined
      ? undefined
      : letters.invitation(email.toLowerCase(), name, passwordLink(publicUrl, token));
  }
}
