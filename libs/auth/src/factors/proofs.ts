import type { Transaction } from '@acervo/platform-database';
import type { FactorStore, StoredFactor } from './factor.store';

/** What a person sends to prove a factor. */
export interface Given {
  readonly code?: string;
  readonly credential?: object;
}

/** Writes down what was proved; false when somebody else was first with the same proof. */
export type Recorded = (tx: Transaction, store: FactorStore) => Promise<boolean>;

/** One kind of second factor. */
export interface FactorKind {
  /** What a challenge is opened with: what is kept of it, and what the browser is told. */
  challenge(
    factor: StoredFactor,
    user: { code: string; name: string },
  ): Promise<{
    readonly nonce: string | null;
    readonly options: object | null;
  }>;
  /** What is left to be written when the proof is right; undefined when it is not. */
  prove(factor: StoredFactor, given: Given, nonce: string | null): Promise<Recorded | undefined>;
}
