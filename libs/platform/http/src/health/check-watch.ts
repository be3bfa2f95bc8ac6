import { withTimeout } from '@acervo/platform-resilience';
import type { ReadinessCheck } from './readiness-checks';

/** Pause between the starts of two runs of a check that answers, and of one that failed. */
const [EVERY_MS, FAILING_EVERY_MS] = [2_000, 1_000];
/** Longest that one run takes until it counts as failed. */
const DEADLINE_MS = 1_000;
/** Failures in a row after which an engine counts as absent: it is named within five seconds of its end. */
const SUSTAINED = 3;

/** What the runs of a check have shown. */
export interface CheckState {
  readonly isUp: boolean;
  readonly failuresInARow: number;
}

/** Before the first answer, an engine counts as absent. */
export const UNKNOWN: CheckState = { isUp: false, failuresInARow: 0 };

/** The state after one more run: one answer suffices, and only sustained failure counts. */
export const stateAfter = ({ isUp, failuresInARow }: CheckState, answered: boolean): CheckState => {
  const failures = answered ? 0 : failuresInARow + 1;
  return { isUp: answered || (isUp && failures < SUSTAINED), failuresInARow: failures };
};

/**
 * Runs one check periodically and remembers its state. Runs never overlap: one that is late is waited for again by the
 * next round, and counts as a failure each time.
 */
export class CheckWatch {
  private state = UNKNOWN;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    readonly check: ReadinessCheck,
    private readonly changed: (isUp: boolean) => void,
  ) {}

  get isUp(): boolean {
    return this.state.isUp;
  }

  /** Runs the check at once and then again and again. Resolves after the first run. */
  async start(): Promise<void> {
    const began = performance.now();
    const answered = await this.answersInTime();
    if (this.isStopped) return;
    this.state = stateAfter(this.state, answered);
    this.changed(this.state.isUp);
    const everyMs = answered ? EVERY_MS : FAILING_EVERY_MS;
    const pause = Math.max(0, everyMs - (performance.now() - began));
    this.timer = setTimeout(() => void this.start(), pause).unref();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async answersInTime(): Promise<boolean> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    try {
      await withTimeout(DEADLINE_MS, this.running, () => new Error(`${this.check.name} is late`));
      return true;
    } catch {
      return false;
    }
  }

  private async run(): Promise<void> {
    await this.check.check();
  }
}
