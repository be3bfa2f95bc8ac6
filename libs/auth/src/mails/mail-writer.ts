import { Injectable } from '@nestjs/common';
import { issuePasswordLink } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Mail } from '@acervo/platform-mail';
import { WorkScope } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { AccountStore } from '../passwords/account.store';
import type { Purpose } from '../passwords/action-token.store';
import { RegistrationStore } from '../registration/registration.store';
import { mailTemplates } from './mail-templates';
import { PasswordLinks } from './password-links';
import type { LeasedMail } from './requested-mail';

/**
 * Writes a mail when it is sent. Each try issues its link, so a mail that arrives hours later has a link that works;
 * links of earlier tries no longer do.
 */
@Injectable()
export class MailWriter {
  constructor(
    private readonly calls: Calls,
    private readonly accounts: AccountStore,
    private readonly registrations: RegistrationStore,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly links: PasswordLinks,
  ) {}

  /** Undefined where the recipient gets no mail. */
  async write(mail: LeasedMail): Promise<Mail | undefined> {
    switch (mail.kind) {
      case 'REGISTRO':
        return this.registration(mail);
      case 'REENVIO':
        return (await this.registeredAgain(mail)) ?? this.link(mail, 'INVITACION');
      case 'INVITACION':
      case 'RECUPERACION':
        return this.link(mail, mail.kind);
    }
  }

  /** An existing account gets no mail: an invitation adds nothing to it. */
  private async registration(mail: LeasedMail): Promise<Mail | undefined> {
    const { email, name = '', groupName = '' } = mail;
    if ((await this.accounts.find(email)) !== undefined || !(await this.mayMail(mail))) return undefined;
    const token = await this.registrations.await(email, name, groupName);
    return token === undefined ? undefined : mailTemplates.invitation(email, name, this.links.withToken(token));
  }

  private async registeredAgain(mail: LeasedMail): Promise<Mail | undefined> {
    const again = await this.registrations.again(mail.email);
    if (again === undefined || !(await this.mayMail(mail))) return undefined;
    return mailTemplates.invitation(mail.email, again.name, this.links.withToken(again.token));
  }

  private async link(mail: LeasedMail, purpose: Purpose): Promise<Mail | undefined> {
    const account = await this.accounts.find(mail.email);
    const expected = purpose === 'RECUPERACION' ? 'ACTIVO' : 'PENDIENTE';
    if (account?.state !== expected || !(await this.mayMail(mail))) return undefined;
    const scope = new WorkScope(account.groupId, 'auth', purpose.toLowerCase());
    const { link } = await this.calls.send(issuePasswordLink, scope, { userId: account.userId, purpose });
    const template = purpose === 'RECUPERACION' ? mailTemplates.recovery : mailTemplates.invitation;
    return template(account.email, account.name, link);
  }

  /** A mail counts at its first try. Invitations by administrators do not count: the administrator decides. */
  private async mayMail({ kind, email, attempts }: LeasedMail): Promise<boolean> {
    return kind === 'INVITACION' || attempts > 1 || this.attemptLimiter.mayMail(email);
  }
}
