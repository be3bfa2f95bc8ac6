import type { Lease } from './lease';
import type { Tasks } from './tasks';

/** Renews the leases of a batch while its tasks are worked one after the other. */
export class LeaseKeeper {
  private renewedAt = performance.now();

  constructor(
    private readonly tasks: Tasks,
    private readonly leases: readonly Lease[],
    private readonly seconds: number,
  ) {}

  /**
   * Renews the leases of the remaining tasks, once a third of the lease time has passed. Call it after progress only.
   */
  async keep(from: Lease): Promise<void> {
    if (performance.now() - this.renewedAt < (this.seconds * 1_000) / 3) return;
    this.renewedAt = performance.now();
    // The commit of a lost task's result fails on its own; the other leases are renewed.
    await this.tasks.renew(this.leases.slice(this.leases.indexOf(from)), this.seconds);
  }
}
