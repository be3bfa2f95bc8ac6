import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;
/** Between two ticks the process ran if no more than this went by; what goes beyond it is a stall of the process. */
const TICK_MS = 50;
const LONGEST_TICK_MS = 2 * TICK_MS;
const DEFAULT_MS = 50_000;
/** Share of a minute, in percent, that some process waited for a processor: above it, limits are doubled. */
const PRESSED = 40;

/** What a look throws where the answer is "not yet": the service is unavailable or refuses because it is busy. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** A condition that did not come true in time. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Errors of a connection that a starting, draining or killed program causes. */
const NOT_YET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isNotYet = (error: unknown): boolean => {
  if (!(error instanceof Object)) return false;
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: unknown };
  return name === 'Unavailable' || NOT_YET.has(String(code)) || isNotYet(cause);
};

const isPressed = (): boolean => {
  try {
    return Number(/some .*avg60=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? 0) > PRESSED;
  } catch {
    return false;
  }
};

/** How much slower this machine is than the reference: the gate measures it once, at its start. */
const machineFactor = (): number => {
  const factor = Number(process.env['ACERVO_PATIENCE'] ?? 1);
  return Number.isFinite(factor) && factor >= 1 ? factor : 1;
};

/** A longest time on a machine like the reference, as this machine would keep it: slower, and busy with other suites. */
export const onThisMachine = (ms: number): number => ms * machineFactor() * (isPressed() ? 2 : 1);

/** Counts the time in which this process ran. While the machine stops the process, the clock stands still. */
class RunningClock {
  private readonly began = performance.now();
  private last = this.began;
  private used = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(onTick: () => void) {
    this.timer = setInterval(() => {
      this.tick();
      onTick();
    }, TICK_MS);
  }

  get usedMs(): number {
    this.tick();
    return this.used;
  }

  get elapsedMs(): number {
    return performance.now() - this.began;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = performance.now();
    this.used += Math.min(now - this.last, LONGEST_TICK_MS);
    this.last = now;
  }
}

const written = (what: string | (() => string)): string => (typeof what === 'string' ? what : what());

/**
 * Repeats `look` until it returns a value. The time limit is for a machine like the reference; it is multiplied by the
 * factor of this machine, and stalls of this process do not count. `what` is evaluated at the end, so that it can show
 * what was printed until then.
 * @throws TooLate after the limit, also while a look hangs; the error of a look, unless it means "not yet"
 */
export const eventually = async <T>(
  what: string | (() => string),
  look: () => Promise<T | undefined> | T | undefined,
  ms = DEFAULT_MS,
): Promise<T> => {
  const factor = machineFactor();
  let refused: unknown;
  let giveUp = (_late: Error): void => undefined;
  const late = new Promise<never>((_resolve, reject) => (giveUp = reject));
  late.catch(() => undefined);
  let isOver = false;
  const clock = new RunningClock(() => {
    if (isOver || clock.usedMs < ms * factor || clock.usedMs < onThisMachine(ms)) return;
    isOver = true;
    const last = refused === undefined ? '' : ` The last answer: ${String(refused)}`;
    const seconds = (clock.elapsedMs / 1_000).toFixed(1);
    giveUp(new TooLate(`Not within ${seconds} s (${ms} ms x ${factor}): ${written(what)}.${last}`, { cause: refused }));
  });
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await look();
    } catch (error) {
      if (!isNotYet(error)) throw error;
      refused = error;
      return undefined;
    }
  };
  try {
    while (!isOver) {
      const value = await Promise.race([attempt(), late]);
      if (value !== undefined) return value;
      await Promise.race([pause(POLL_MS), late]);
    }
    return await late;
  } finally {
    isOver = true;
    clock.stop();
  }
};

/** Waits until a condition is true. @throws TooLate after the limit; its error, unless it means "not yet" */
export const until = async (
  what: string | (() => string),
  condition: () => Promise<boolean> | boolean,
  ms = DEFAULT_MS,
): Promise<void> => {
  await eventually(what, async () => ((await condition()) ? true : undefined), ms);
};
