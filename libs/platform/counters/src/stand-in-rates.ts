import type { Counted } from './counters';
import { type RatedName, Rates } from './rates';

/** While shared counters are away, they are asked again this often. */
const RETRY_MS = 1_000;

/**
 * Counts in shared counters, and in this process while they do not answer: a rate is then that of each process. One
 * request waits for their failure; while they are away, a second count in the background asks for them.
 */
export class StandInRates extends Rates {
  private isAway = false;
  private nextTry = 0;

  /** @param changed called when the shared counters stop to answer, with the error, and when they answer again */
  constructor(
    private readonly shared: Rates,
    private readonly local: Rates,
    private readonly changed: (away: { readonly error: unknown } | undefined) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
  }

  override async admit(counters: readonly RatedName[]): Promise<Counted> {
    if (this.isAway) {
      this.askAgain(counters);
      return this.local.admit(counters);
    }
    try {
      return await this.shared.admit(counters);
    } catch (error) {
      this.left(error);
      return this.local.admit(counters);
    }
  }

  override async prune(): Promise<void> {
    await this.local.prune();
    await this.shared.prune();
  }

  private left(error: unknown): void {
    this.nextTry = this.now() + RETRY_MS;
    if (this.isAway) return;
    this.isAway = true;
    this.changed({ error });
  }

  private askAgain(counters: readonly RatedName[]): void {
    if (this.now() < this.nextTry) return;
    this.nextTry = Infinity;
    this.shared.admit(counters).then(
      () => {
        if (this.isAway) this.changed(undefined);
        this.isAway = false;
      },
      (error: unknown) => this.left(error),
    );
  }
}
