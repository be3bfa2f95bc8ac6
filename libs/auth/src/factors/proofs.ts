import type { Transaction } from '@acervo/platform-database';
import type { FactorStore, StoredFactor } from './factor.store';

/** The input with which a person proves a factor. */
export interface ProofInput {
  readonly code?: string;
  readonly credential?: object;
}

/** Records the proof; false when a concurrent request recorded the same proof first. */
export type Recorded = (tx: Transaction, store: FactorStore) => Promise<boolean>;

/** One kind of second factor. */
export interface FactorKind {
  /** Opens a challenge: what the row stores, and what the browser receives. */
  challenge(
    factor: StoredFactor,
    user: { code: string; name: string },
  ): Promise<{
    readonly nonce: string | null;
    readonly options: object | null;
  }>;
  /** What remains to be written when the proof is correct; undefined when it is not. */
  prove(factor: StoredFactor, proof: ProofInput, nonce: string | null): Promise<Recorded | undefined>;
}
