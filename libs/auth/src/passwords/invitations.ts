import type { TenantScope, Transaction } from '@acervo/platform-database';
import type { CountedInvitation } from '../attempts/attempt-limiter';

/** Runs once the transaction is committed, so that the mail need not wait. */
export type AfterCommit = () => void;

/** Invites people to set their first password. */
export abstract class Invitations {
  /** Counts the invitation, before any transaction. @throws RateLimited where the group has sent as many as it may */
  abstract count(group: TenantScope): Promise<CountedInvitation>;
  /** Adds the mail to the transaction of the account; the returned function sends it at once. */
  abstract invite(tx: Transaction, email: string): Promise<AfterCommit>;
}

/** A password that passed the rules and is hashed, before any transaction. */
export interface HashedPassword {
  readonly hash: string;
}

/** First passwords that administrators choose for others. */
export abstract class FirstPasswords {
  /** @throws InvalidInput where the password is too weak. */
  abstract hash(password: string): Promise<HashedPassword>;
  abstract keep(tx: Transaction, userId: string, password: HashedPassword): Promise<void>;
}
