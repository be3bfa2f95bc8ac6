import { Injectable } from '@nestjs/common';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { KeyedMutex, Periodic } from '@acervo/platform-resilience';
import type { Root } from '../locations/location.store';
import { AWAITED_EVERY_MS, RunStore } from './run.store';
import { type ScanLock, ScanLocks } from './scan-locks';

/** A run that waits for the lock of its root. */
export interface WaitingRun {
  readonly run: number;
  /** Called while the run waits. */
  readonly progress?: (() => Promise<void>) | undefined;
}

/** Begins a run under the scan lock of its root, and refreshes its place while it waits. */
@Injectable()
export class RunLock {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly scanLocks: ScanLocks,
    private readonly runs: RunStore,
  ) {}

  /** @throws ScanCancelled for a run that was cancelled while it waited or worked */
  async withLock<T>(
    scope: TenantScope,
    root: Root,
    { run, progress: waiting }: WaitingRun,
    work: (lock: ScanLock) => Promise<T>,
  ): Promise<T> {
    const taken = (tx: Transaction): Promise<void> => this.runs.begin(tx, root, run);
    // While the database is away, no other run begins either.
    const waits = new Periodic(() => this.runs.awaited(scope, run), { everyMs: AWAITED_EVERY_MS });
    return waits.during(() =>
      this.mutex.run(`${scope.groupId}/${root.code}`, () =>
        this.scanLocks.withLock(scope, { root, run, waiting, acquired: taken }, work),
      ),
    );
  }
}
