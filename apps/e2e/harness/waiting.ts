import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;

/** Repeats `look` until it returns a value. @throws after `ms`, or the error of `look` */
const poll = async <T>(what: string, look: () => Promise<T | undefined>, ms: number): Promise<T> => {
  for (const end = Date.now() + ms; ; await pause(POLL_MS)) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${ms} ms.`);
  }
};

/** Waits for a condition. @throws its error, or after `ms` */
export const until = async (what: string, condition: () => Promise<boolean> | boolean, ms = 50_000): Promise<void> => {
  await poll(what, async () => ((await condition()) ? true : undefined), ms);
};

/** Repeats `work` until it returns a value, even if what it asks is unavailable meanwhile. @throws after `ms` */
export const retryUntilAvailable = async <T>(
  what: string,
  work: () => Promise<T | undefined> | T | undefined,
  ms = 900_000,
): Promise<T> => {
  let cause: unknown;
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      cause = error;
      return undefined;
    }
  };
  return poll(what, attempt, ms).catch((error: Error) => {
    throw new Error(cause === undefined ? error.message : `${error.message} The last error: ${String(cause)}`, {
      cause,
    });
  });
};
