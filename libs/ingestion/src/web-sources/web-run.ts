import type { TenantScope, Transaction } from '@acervo/platform-database';
import type { Root } from '../locations/location.store';
import type { ScanLock } from '../scans/scan-locks';
import type { ScanSummary } from '../scans/scan-summary';

/** One lease of a run of a web location, under the lock of its root. */
export interface WebRun {
  readonly scope: TenantScope;
  readonly root: Root;
  readonly run: number;
  readonly lock: ScanLock;
  readonly acceptDeletions: boolean;
  /** Renews the lease. @throws WorkInterrupted when the process ends */
  readonly progress: () => Promise<void>;
  /** Belongs to the transaction of each page: a run is given up only where it dies of one page again and again. */
  readonly advanced: (tx: Transaction) => Promise<void>;
  readonly stopping: AbortSignal;
  /** Whether the lease has worked for long enough: other work waits for its slot. */
  readonly isOver: () => boolean;
}

/** How a lease of a run ends: with the run, or with a pause. */
export type WebOutcome = { readonly summary: ScanSummary } | { readonly againInMs: number };
