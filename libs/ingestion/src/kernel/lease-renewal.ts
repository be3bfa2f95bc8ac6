import type { Lease, Tasks } from '@acervo/platform-queue';
import { Periodic } from '@acervo/platform-resilience';

/** Without progress for this long a worker counts as stuck, and its leases expire. */
const PATIENCE_MS = 900_000;

/** Renews the leases of a batch, waiting and running ones, while the batch makes progress. */
export class LeaseRenewal {
  private readonly open: Set<Lease>;
  private readonly rounds: Periodic;
  private progressAt = performance.now();

  constructor(
    private readonly tasks: Pick<Tasks, 'renew'>,
    leases: readonly Lease[],
    private readonly seconds: number,
  ) {
    this.open = new Set(leases);
    this.rounds = new Periodic(() => this.renew(), { everyMs: (seconds * 1_000) / 3 });
    this.rounds.start();
  }

  readonly progress = (): void => {
    this.progressAt = performance.now();
  };

  add(leases: readonly Lease[]): void {
    for (const lease of leases) this.open.add(lease);
  }

  /** Committed, refused or given back: this worker no longer owns the lease. */
  done(lease: Lease): void {
    this.progress();
    this.open.delete(lease);
  }

  close(): Promise<void> {
    return this.rounds.stop();
  }

  private async renew(): Promise<void> {
    if (performance.now() - this.progressAt > PATIENCE_MS) return;
    const leases = [...this.open];
    // On an error the database is away, and the next round retries.
    const renewed = await this.tasks.renew(leases, this.seconds).catch(() => leases);
    // A lost lease shows at the commit of its result.
    for (const lease of leases) if (!renewed.includes(lease)) this.open.delete(lease);
  }
}
