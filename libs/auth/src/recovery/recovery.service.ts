import { Injectable } from '@nestjs/common';
import {
  type ClientRecoveryRequest,
  issuePasswordLink,
  recoverPassword,
  resendInvitation,
  type Confirmation,
} from '@acervo/contracts';
import { Calls, Handles } from '@acervo/platform-calls';
import { type Mail, MailQueue } from '@acervo/platform-mail';
import { type Anonymous, WorkScope } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { mailTemplates } from '../mails/mail-templates';
import { PasswordLinks } from '../mails/password-links';
import { AccountStore } from '../passwords/account.store';
import type { Purpose } from '../passwords/action-token.store';
import { RegistrationStore } from '../registration/registration.store';

const RECOVERED = 'Si la cuenta existe y está activa, enviamos un correo con las instrucciones.';
const RESENT = 'Si hay una cuenta por confirmar con esa dirección, enviamos de nuevo la invitación.';

/**
 * Mails links to people who cannot log in. The account is looked up after the answer, so the answer reveals nothing.
 */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly calls: Calls,
    private readonly accounts: AccountStore,
    private readonly registrations: RegistrationStore,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mailQueue: MailQueue,
    private readonly links: PasswordLinks,
  ) {}

  @Handles(recoverPassword)
  async recover(_scope: Anonymous, { email, address }: ClientRecoveryRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(address);
    this.mailQueue.enqueue(() => this.mail(email, 'RECUPERACION'));
    return { message: RECOVERED };
  }

  @Handles(resendInvitation)
  async resend(_scope: Anonymous, { email, address }: ClientRecoveryRequest): Promise<Confirmation> {
    await this.attemptLimiter.visit(address);
    this.mailQueue.enqueue(async () => (await this.registered(email)) ?? this.mail(email, 'INVITACION'));
    return { message: RESENT };
  }

  private async mail(email: string, purpose: Purpose): Promise<Mail | undefined> {
    const { accounts, attemptLimiter, calls } = this;
    const account = await accounts.find(email);
    const expected = purpose === 'RECUPERACION' ? 'ACTIVO' : 'PENDIENTE';
    if (account?.state !== expected || !(await attemptLimiter.mayMail(account.email))) return undefined;
    const scope = new WorkScope(account.groupId, 'auth', purpose.toLowerCase());
    const { link } = await calls.send(issuePasswordLink, scope, { userId: account.userId, purpose });
    const template = purpose === 'RECUPERACION' ? mailTemplates.recovery : mailTemplates.invitation;
    return template(account.email, account.name, link);
  }

  private async registered(email: string): Promise<Mail | undefined> {
    const { registrations, attemptLimiter, links } = this;
    const again = await registrations.again(email);
    if (again === undefined || !(await attemptLimiter.mayMail(email))) return undefined;
    return mailTemplates.invitation(email, again.name, links.withToken(again.token));
  }
}
