/** How many rows one transaction of a long piece of work writes. */
export interface SliceLimits {
  readonly least: number;
  readonly most: number;
  /** The same while requests wait for the engine. */
  readonly wanted: number;
}

/** A transaction of this length is as long as a request may wait for: the next one takes fewer rows. */
const LONG_MS = 50;

/** As many rows as this engine writes in the time that a request may wait: learnt from slice to slice. */
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

  /** Learns from a slice. */
  took(rows: number, ms: number): void {
    const { least, most } = this.limits;
    if (ms > LONG_MS) this.most = Math.max(least, Math.floor(this.most / 2));
    else if (rows >= this.most && ms * 2 < LONG_MS) this.most = Math.min(most, this.most * 2);
  }
}
