import { type Lease, LeaseLost } from './lease';
import type { Tasks } from './tasks';

/** Keeps the leases of a batch alive while its pieces are worked one after the other. */
export class LeaseKeeper {
  private renewedAt = performance.now();

  constructor(
    private readonly tasks: Tasks,
    private readonly leases: readonly Lease[],
    private readonly seconds: number,
  ) {}

  /** Renews what is still to be done, once a third of the time went by: call it after progress only. */
  async keep(from: Lease): Promise<void> {
    if (performance.now() - this.renewedAt < (this.seconds * 1_000) / 3) return;
    this.renewedAt = performance.now();
    for (const open of this.leases.slice(this.leases.indexOf(from)))
      await this.tasks.heartbeat(open, this.seconds).catch((error: unknown) => {
        // The commit of its result will tell; the others are kept.
        if (!(error instanceof LeaseLost)) throw error;
      });
  }
}
