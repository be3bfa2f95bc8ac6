/** Resolves after this time, or as soon as the signal is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });

/**
 * The result of work, with a time limit. The work itself continues after the limit.
 * @throws what the work throws in time, else the error of `late`
 */
export const withTimeout = async <T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Waits for work, with a time limit. The work itself continues after the limit. @throws what the work throws in time
 */
export const atMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  try {
    await Promise.race([work, pause(ms, over.signal)]);
  } finally {
    over.abort();
  }
};

/**
 * The result of work, unless a signal ends the wait for it. The work itself continues.
 * @throws what the work throws before, else the reason of the signal
 */
export const unlessAborted = <T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
