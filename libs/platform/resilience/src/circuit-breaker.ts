export interface CircuitSettings {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** How long the open circuit admits no caller. */
  readonly openMs: number;
  /** How long one probe after that keeps other callers out, unless its outcome is known before. */
  readonly probeMs: number;
  readonly now?: () => number;
}

/**
 * Keeps callers from waiting, one after the other, for an absent engine. After several failures in a row it admits no
 * caller for a while. Then one caller probes alone until its outcome is known.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = 0;
  private readonly now: () => number;

  constructor(private readonly settings: CircuitSettings) {
    this.now = settings.now ?? (() => performance.now());
  }

  /** Whether a caller may try; one that may reports the outcome afterwards. */
  admits(): boolean {
    if (this.failures < this.settings.failures) return true;
    const now = this.now();
    if (now < this.openUntil) return false;
    this.openUntil = now + this.settings.probeMs;
    return true;
  }

  /** Whether it keeps callers out, but for the one that probes. */
  get isOpen(): boolean {
    return this.failures >= this.settings.failures;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    this.openUntil = this.now() + this.settings.openMs;
  }
}
