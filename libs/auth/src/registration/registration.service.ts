import { Injectable } from '@nestjs/common';
import {
  NotFound,
  registerPublicly,
  registerRetired,
  type ClientRegistrationRequest,
  type RegistrationName,
  type Confirmation,
  seedRegistration,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { type Mail, MailQueue } from '@acervo/platform-mail';
import type { Anonymous } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { mailTemplates } from '../mails/mail-templates';
import { PasswordLinks } from '../mails/password-links';
import { AccountStore } from '../passwords/account.store';
import { RegistrationStore } from './registration.store';

const REGISTERED = 'Si la dirección puede registrarse, enviamos un correo para confirmarla.';

/** Registration: people create an account, and a group with it, by themselves. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly registrations: RegistrationStore,
    private readonly accounts: AccountStore,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mailQueue: MailQueue,
    private readonly links: PasswordLinks,
  ) {}

  @Handles(registerPublicly)
  async register(_scope: Anonymous, input: ClientRegistrationRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(input.address);
    this.mailQueue.enqueue(() => this.invite(input));
    return { message: REGISTERED };
  }

  @Handles(registerRetired)
  async registerRetired(_scope: Anonymous, { address }: ClientRegistrationRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(address);
    return { message: REGISTERED };
  }

  @Handles(seedRegistration)
  async seed(_scope: Anonymous, { email }: RegistrationName, context: WriteContext): Promise<Confirmation> {
    const { registrations } = this;
    const registration = await registrations.confirmed(email);
    if (registration === undefined) throw new NotFound();
    await context.writeIn(registration, (tx) => registrations.seed(tx, registration));
    return { message: 'Cuenta creada.' };
  }

  /** An existing account gets no mail: an invitation adds nothing to it. */
  private async invite({ email, name, groupName }: ClientRegistrationRequest): Promise<Mail | undefined> {
    const { accounts, attemptLimiter, registrations, links } = this;
    if ((await accounts.find(email)) !== undefined || !(await attemptLimiter.mayMail(email))) return undefined;
    const token = await registrations.await(email, name, groupName);
    return token === undefined
      ? undefined
      : mailTemplates.invitation(email, name, links.withToken(token));
  }
}
