import { Injectable } from '@nestjs/common';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { AttemptLimiter, type CountedInvitation } from '../attempts/attempt-limiter';
import { MailOutbox } from '../mails/mail-outbox';
import { type AfterCommit, FirstPasswords, type HashedPassword, Invitations } from './invitations';
import { AccountStore } from '../accounts/account.store';
import { PasswordHasher } from '../accounts/password-hasher';
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
    private readonly mailOutbox: MailOutbox,
    private readonly attemptLimiter: AttemptLimiter,
  ) {
    super();
  }

  override count(group: TenantScope): Promise<CountedInvitation> {
    return this.attemptLimiter.invitation(group);
  }

  override invite(tx: Transaction, email: string): Promise<AfterCommit> {
    return this.mailOutbox.add(tx, { kind: 'INVITACION', email, invitedTo: tx.groupId });
  }
}
