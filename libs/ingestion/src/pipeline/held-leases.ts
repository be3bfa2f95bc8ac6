import { type Lease, LeaseLost, type Tasks } from '@acervo/platform-queue';

/** Without a sign of progress for this long, whoever works is taken for stuck, and others may take the work. */
const PATIENCE_MS = 900_000;

/** Keeps the leases of a batch alive, those that wait and those that are worked, as long as something goes forward. */
export class HeldLeases {
  private readonly open: Set<Lease>;
  private readonly timer: NodeJS.Timeout;
  private progressAt = performance.now();
  private renewing: Promise<void> = Promise.resolve();

  constructor(
    private readonly tasks: Pick<Tasks, 'heartbeat'>,
    leases: readonly Lease[],
    private readonly seconds: number,
  ) {
    this.open = new Set(leases);
    this.timer = setInterval(
      () => {
        this.renewing = this.renewing.then(() => this.renew());
      },
      (seconds * 1_000) / 3,
    );
    this.timer.unref();
  }

  readonly progress = (): void => {
    this.progressAt = performance.now();
  };

  add(leases: readonly Lease[]): void {
    for (const lease of leases) this.open.add(lease);
  }

  /** Committed, refused or given back: it is not ours any more. */
  done(lease: Lease): void {
    this.progress();
    this.open.delete(lease);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
  }

  private async renew(): Promise<void> {
    if (performance.now() - this.progressAt > PATIENCE_MS) return;
    for (const lease of [...this.open])
      await this.tasks.heartbeat(lease, this.seconds).catch((error: unknown) => {
        // Lost: the commit of its result will tell. Anything else: the database is away, and the next round tries again.
        if (error instanceof LeaseLost) this.open.delete(lease);
      });
  }
}
