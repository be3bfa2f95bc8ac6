import { Injectable } from '@nestjs/common';
import { issuePasswordLink } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Mail } from '@acervo/platform-mail';
import { WorkScope } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { type Account, AccountStore } from '../accounts/account.store';
import { type Registration, RegistrationStore } from '../accounts/registration.store';
import { Directory } from '../accounts/directory';
import { type AccountLink, mailTemplates } from './mail-templates';
import { type LinkPurpose, PasswordLinks } from './password-links';
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
    private readonly directory: Directory,
  ) {}

  /** Undefined where the recipient gets no mail. */
  async write(mail: LeasedMail): Promise<Mail | undefined> {
    switch (mail.kind) {
      case 'REGISTRO':
        return this.registration(mail);
      case 'REENVIO':
        return this.invitation(mail, await this.waitingRegistration(mail));
      case 'INVITACION':
        return this.invitation(mail);
      case 'RECUPERACION':
        return this.recovery(mail);
    }
  }

  /** A confirmed address gets no mail: it has its account. */
  private async registration(mail: LeasedMail): Promise<Mail | undefined> {
    const { email, name = '', groupName = '' } = mail;
    if ((await this.isConfirmed(email)) || !(await this.mayMail(mail))) return undefined;
    const token = await this.registrations.await(email, name, groupName);
    if (token === undefined) return undefined;
    return mailTemplates.invitation(email, name, [{ groupName, link: this.links.withToken(token) }]);
  }

  private async waitingRegistration({ email }: LeasedMail): Promise<Registration | undefined> {
    return (await this.isConfirmed(email)) ? undefined : this.registrations.waiting(email);
  }

  /** The links of all accounts that the address may confirm: none of them hides another. */
  private async invitation(mail: LeasedMail, registration?: Registration): Promise<Mail | undefined> {
    const { email, invitedTo } = mail;
    const accounts = await this.accounts.find(email, 'PENDIENTE', invitedTo ?? undefined);
    const name = registration?.name ?? accounts[0]?.name;
    if (name === undefined || !(await this.mayMail(mail))) return undefined;
    const links = await this.accountLinks(accounts, 'INVITACION');
    return mailTemplates.invitation(email, name, [...(await this.registrationLinks(registration)), ...links]);
  }

  private async recovery(mail: LeasedMail): Promise<Mail | undefined> {
    const accounts = await this.accounts.find(mail.email, 'ACTIVO');
    const [first] = accounts;
    if (first === undefined || !(await this.mayMail(mail))) return undefined;
    return mailTemplates.recovery(mail.email, first.name, await this.accountLinks(accounts, 'RECUPERACION'));
  }

  private async registrationLinks(registration: Registration | undefined): Promise<readonly AccountLink[]> {
    const token = registration && (await this.registrations.again(registration.email));
    if (registration === undefined || token === undefined) return [];
    return [{ groupName: registration.groupName, link: this.links.withToken(token) }];
  }

  private async accountLinks(accounts: readonly Account[], purpose: LinkPurpose): Promise<readonly AccountLink[]> {
    const links: AccountLink[] = [];
    for (const { groupId, groupName, userId } of accounts) {
      const scope = new WorkScope(groupId, 'auth', purpose.toLowerCase());
      const { link } = await this.calls.send(issuePasswordLink, scope, { userId, purpose });
      links.push({ groupName, link });
    }
    return links;
  }

  private async isConfirmed(email: string): Promise<boolean> {
    return (await this.directory.ownerOf(email)) !== undefined;
  }

  /** A mail counts at its first try. Requests of strangers do not use up the count of invitations by administrators. */
  private async mayMail({ kind, email, attempts }: LeasedMail): Promise<boolean> {
    return attempts > 1 || this.attemptLimiter.mayMail(email, kind === 'INVITACION' ? 'invitation' : 'mail');
  }
}
