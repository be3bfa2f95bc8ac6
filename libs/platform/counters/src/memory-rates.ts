import type { Counted } from './counters';
import { countedOf, type RatedName, Rates, spacingOf } from './rates';

const MOST_NAMES = 100_000;
/** Counts names beyond the largest number of counters, all together. */
const OTHERS = 'others';

/** Counts in this process: each replica counts for itself, and a restart begins again. */
export class MemoryRates extends Rates {
  /** By name, the time in seconds at which the requests so far are used up. */
  private readonly usedUpAt = new Map<string, number>();
  private prunedAt = 0;

  constructor(
    private readonly now: () => number = () => performance.now() / 1_000,
    private readonly mostNames = MOST_NAMES,
  ) {
    super();
  }

  override admit(counters: readonly RatedName[]): Promise<Counted> {
    return Promise.resolve(countedOf(counters.map((counter) => this.waitOf(counter))));
  }

  override prune(): Promise<void> {
    const now = this.now();
    this.prunedAt = now;
    for (const [name, at] of this.usedUpAt) if (at <= now) this.usedUpAt.delete(name);
    return Promise.resolve();
  }

  private waitOf({ name: wanted, rate }: RatedName): number {
    const [now, name] = [this.now(), this.nameWithin(wanted)];
    const { every, ahead } = spacingOf(rate);
    const usedUpAt = Math.max(now, this.usedUpAt.get(name) ?? now);
    if (usedUpAt - ahead > now) return usedUpAt - ahead - now;
    this.usedUpAt.set(name, usedUpAt + every);
    return 0;
  }

  /** Callers with ever new names fill the map; it is pruned at most once a second. */
  private nameWithin(name: string): string {
    if (this.usedUpAt.has(name) || this.usedUpAt.size < this.mostNames) return name;
    if (this.now() - this.prunedAt > 1) void this.prune();
    return this.usedUpAt.size < this.mostNames ? name : OTHERS;
  }
}
