/** So many failures in a row, and a service is left alone for a while. */
const MOST_FAILURES = 5;
const OPEN_MS = 1_000;

/**
 * Keeps callers from waiting, one after the other, for a service that is not there: after several failures in a row
 * it is asked nothing for a second, then by one caller alone until that one is answered.
 */
export class Breaker {
  private failures = 0;
  private openUntil = 0;
  private probing = false;

  constructor(private readonly now: () => number = Date.now) {}

  /** Whether a caller may ask; who may tells afterwards how it went. */
  admits(): boolean {
    if (this.failures < MOST_FAILURES) return true;
    if (this.probing || this.now() < this.openUntil) return false;
    this.probing = true;
    return true;
  }

  answered(): void {
    this.failures = 0;
    this.probing = false;
  }

  failed(): void {
    this.failures += 1;
    this.probing = false;
    this.openUntil = this.now() + OPEN_MS;
  }
}
