import type { Transaction } from '@acervo/platform-database';
import type { Post } from '@acervo/platform-mail';
import { letters, passwordLink } from '../mails/letters';
import { type AfterCommit, FirstPasswords, type HashedPassword, Invitations, type Invited } from '../users/invitations';
import type { AccountStore } from './account.store';
import type { ActionTokenStore } from './action-token.store';
import type { PasswordHasher } from './password-hasher';
import { assertGoodPassword } from './password-policy';

/** Passwords that administrators choose for others, held to the rules of those that people choose for themselves. */
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

/** Invitations as letters with a link that works once. */
export class MailedInvitations extends Invitations {
  constructor(
    private readonly actions: ActionTokenStore,
    private readonly post: Post,
    private readonly publicUrl: string,
  ) {
    super();
  }

  override async invite(tx: Transaction, { userId, email, name }: Invited): Promise<AfterCommit> {
    const link = passwordLink(this.publicUrl, await this.actions.issue(tx, userId, 'INVITACION'));
    return () => this.post.later(() => Promise.resolve(letters.invitation(email, name, link)));
  }
}
