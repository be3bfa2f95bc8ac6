import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { MailQueue } from '@acervo/platform-mail';
import { mailTemplates } from '../mails/mail-templates';
import { PasswordLinks } from '../mails/password-links';
import { type AfterCommit, FirstPasswords, type HashedPassword, Invitations, type Invited } from '../users/invitations';
import { AccountStore } from './account.store';
import { ActionTokenStore } from './action-token.store';
import { PasswordHasher } from './password-hasher';
import { assertGoodPassword } from './password-policy';

/** Passwords that administrators choose for others, under the same rules as those that people choose for themselves. */
@Injectable()
export class HashedFirstPasswords extends FirstPasswords {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly accounts: AccountStore,
  ) {
    super();
  }

  override async hash(password: string): Promise<HashedPassword> {
    assertGoodPassword(password);
    return { hash: await this.hasher.hash(password) };
  }

  override keep(tx: Transaction, userId: string, { hash }: HashedPassword): Promise<void> {
    return this.accounts.setPassword(tx, userId, hash);
  }
}

/** Invitations as mails with a link that works once. */
@Injectable()
export class MailedInvitations extends Invitations {
  constructor(
    private readonly actions: ActionTokenStore,
    private readonly mailQueue: MailQueue,
    private readonly links: PasswordLinks,
  ) {
    super();
  }

  override async invite(tx: Transaction, { userId, email, name }: Invited): Promise<AfterCommit> {
    const link = this.links.withToken(await this.actions.issue(tx, userId, 'INVITACION'));
    return () => this.mailQueue.enqueue(() => Promise.resolve(mailTemplates.invitation(email, name, link)));
  }
}
