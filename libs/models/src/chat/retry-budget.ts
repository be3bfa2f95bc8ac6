/** Retries that are possible before the first success. */
const MOST = 10;
/** Retries that one success adds. */
const EARNED = 0.2;

/**
 * Bounds retries by a share of successes, so that a provider in trouble gets few more requests than before. Waits are
 * the business of the caller.
 */
export class RetryBudget {
  private left = MOST;

  succeeded(): void {
    this.left = Math.min(MOST, this.left + EARNED);
  }

  /** Takes one retry; false where none is left. */
  take(): boolean {
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
