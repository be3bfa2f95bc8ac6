import { pause } from '@acervo/platform-resilience';

/** How many rows one transaction of a long piece of work writes. */
export interface SliceLimits {
  readonly least: number;
  readonly most: number;
  /** The same while requests wait for the engine. */
  readonly wanted: number;
}

/** A transaction of this length is as long as a request may wait for: the next one takes fewer rows. */
const LONG_MS = 50;
const MOST_PAUSE_MS = 100;

/**
 * The pace of long work: as many rows a slice as this engine writes in the time that a request may wait, learnt from
 * slice to slice, and pauses while requests wait.
 */
export class SliceSize {
  private most: number;

  constructor(
    private readonly database: { readonly isWanted: boolean },
    private readonly limits: SliceLimits,
  ) {
    this.most = limits.least;
  }

  get now(): number {
    return this.database.isWanted ? this.limits.wanted : this.most;
  }

  /** Pauses as long as a slice took while requests wait: they get at least every second turn of a shared session. */
  async rest(ms: number): Promise<void> {
    if (this.database.isWanted) await pause(Math.min(MOST_PAUSE_MS, ms));
  }

  /** Learns from a slice. */
  took(rows: number, ms: number): void {
    const { least, most } = this.limits;
    if (ms > LONG_MS) this.most = Math.max(least, Math.floor(this.most / 2));
    else if (rows >= this.most && ms * 2 < LONG_MS) this.most = Math.min(most, this.most * 2);
  }
}
