import { isConnectionLost, type SliceSize } from '@acervo/platform-database';
import type { Lease } from '@acervo/platform-queue';
import { Mutex } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';

/** Outcomes of one transaction: a request that arrives meanwhile waits for all of them. */
export const OUTCOMES = { least: 8, most: 32, wanted: 6 };
/** An outcome waits for others of its batch for this long. */
const WAIT_MS = 200;

/** Commits the ends of leases of one group in one transaction; answers the stages that got tasks. */
interface Commits<O> {
  commit(scope: WorkScope, outcomes: readonly O[]): Promise<ReadonlySet<string>>;
}

/** What a batch does with the ends of its leases. */
export interface OutcomeListener {
  /** The lease is over: its outcome is committed, or counts no longer. */
  over(lease: Lease): void;
  failed(lease: Lease, error: unknown): Promise<void>;
}

/**
 * Commits the outcomes of one batch, several in one transaction: as soon as a slice is full, or one has waited. A slice
 * that fails is committed one by one, so that no document fails for another.
 */
export class OutcomeWriter<O extends { readonly lease: Lease }> {
  /** The stages that got tasks so far. */
  readonly stages = new Set<string>();
  private readonly waiting: O[] = [];
  private readonly writing = new Mutex();
  private timer: NodeJS.Timeout | undefined;
  private lost: { readonly error: unknown } | undefined;
  private isClosed = false;

  constructor(
    private readonly outcomes: Commits<O>,
    private readonly size: SliceSize,
    private readonly scope: WorkScope,
    private readonly listener: OutcomeListener,
  ) {}

  /** @throws when the connection to the database is lost */
  async add(outcome: O): Promise<void> {
    if (this.isClosed) return;
    this.waiting.push(outcome);
    // The batch learns of an error at its next outcome.
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), WAIT_MS);
    if (this.waiting.length >= this.size.now) await this.flush();
  }

  /** Commits what waits. @throws when the connection to the database is lost */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing.run(async () => {
      if (this.lost !== undefined) throw this.lost.error;
      this.waiting.sort(({ lease: one }, { lease: other }) => other.priority - one.priority);
      while (this.waiting.length > 0) await this.write(this.waiting.splice(0, this.size.now));
    });
  }

  /** What waits, and what follows, is not committed. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.waiting.length = 0;
  }

  private async write(slice: readonly O[]): Promise<void> {
    const began = performance.now();
    try {
      for (const stage of await this.outcomes.commit(this.scope, slice)) this.stages.add(stage);
      for (const { lease } of slice) this.listener.over(lease);
    } catch (error) {
      if (isConnectionLost(error)) {
        this.lost ??= { error };
        throw error;
      }
      await this.singly(slice, error);
    }
    const ms = performance.now() - began;
    this.size.took(slice.length, ms);
    await this.size.rest(ms);
  }

  private async singly(slice: readonly O[], error: unknown): Promise<void> {
    const [first, ...others] = slice;
    if (first === undefined) return;
    if (others.length === 0) return this.listener.failed(first.lease, error);
    for (const outcome of slice) await this.write([outcome]);
  }
}
