import type { Transaction } from '@acervo/platform-database';

/** A person who has an account and no password yet. */
export interface Invited {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

/** Runs once the transaction is committed, so that no mail leaves for a transaction that fails. */
export type AfterCommit = () => void;

/** Invites people to set their first password. */
export abstract class Invitations {
  /** Creates the invitation in the transaction of the account; the returned function sends the mail. */
  abstract invite(tx: Transaction, invited: Invited): Promise<AfterCommit>;
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
