import type { Transaction } from '@acervo/platform-database';

/** A person who has an account and no password yet. */
export interface Invited {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

/** What is left to do once the transaction is committed: mail goes out after the answer is certain. */
export type AfterCommit = () => void;

/** Invites people to set their first password. */
export abstract class Invitations {
  /** Makes the invitation in the transaction that makes the account; the mail leaves with what it answers. */
  abstract invite(tx: Transaction, invited: Invited): Promise<AfterCommit>;
}

/** A password that was found good enough and hashed, before any transaction. */
export interface HashedPassword {
  readonly hash: string;
}

/** First passwords that administrators choose for others. */
export abstract class FirstPasswords {
  /** @throws InvalidInput where the password is too weak. */
  abstract hash(password: string): Promise<HashedPassword>;
  abstract keep(tx: Transaction, userId: string, password: HashedPassword): Promise<void>;
}
