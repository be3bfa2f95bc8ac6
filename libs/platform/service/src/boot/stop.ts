import type { RunningServer } from '@acervo/platform-http';
import { atMost, pause } from '@acervo/platform-resilience';
import type { RunningService } from './boot';

/** Longest parts of a stop after its drain; their sum stays below the limit of the whole. */
const LONGEST_REQUEST_MS = 10_000;
const LONGEST_WORK_MS = 10_000;
const LONGEST_CALL_MS = 8_000;
const LONGEST_CLOSE_MS = 5_000;
/** A process that has not stopped this long after its drain ends with a failure. */
export const LONGEST_STOP_MS = 25_000;
/** Longest that a stop waits for a start in progress, which may wait for an engine itself. */
const LONGEST_BOOT_MS = 3_000;

/** The listeners of a service. */
export interface Listeners {
  readonly internal: RunningServer;
  readonly public: RunningServer;
}

/**
 * Stops a service without a failed request.
 * 1. It is not ready, still serves, and ends each connection with its next answer, for `drainMs`.
 * 2. The public listener closes after its requests in progress. Events and stages stop; interrupted work goes to
 *    another process.
 * 3. The internal listener closes: until then other services verify the calls of this one, and call it.
 * 4. Engines close; spans are sent.
 */
export const stopInOrder = async (
  service: Pick<RunningService, 'drain' | 'stopWork' | 'close' | 'logger'>,
  listeners: Listeners,
  drainMs: number,
): Promise<void> => {
  service.logger.info({ drainMs }, 'draining');
  service.drain();
  listeners.public.drain();
  listeners.internal.drain();
  await pause(drainMs);
  await Promise.all([listeners.public.close(LONGEST_REQUEST_MS), atMost(LONGEST_WORK_MS, service.stopWork())]);
  await listeners.internal.close(LONGEST_CALL_MS);
  service.logger.info('stopped serving and working');
  // A statement of interrupted work may keep its connection.
  await atMost(LONGEST_CLOSE_MS, service.close());
};

/**
 * The service, once it is booted. After a stop signal: undefined, once the service is closed again, or when its start
 * takes longer than a stop may. Then the end of the process closes its connections.
 * @throws what the start throws before a stop signal
 */
export const unlessStopped = async <S extends Pick<RunningService, 'close'>>(
  booting: Promise<S>,
  stopSignal: AbortSignal,
): Promise<S | undefined> => {
  const over = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    if (stopSignal.aborted) return resolve(undefined);
    stopSignal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over.signal });
  });
  const service = await Promise.race([stopped, booting]).finally(() => over.abort());
  if (!stopSignal.aborted) return service;
  const closed = booting.then((booted) => booted.close());
  await atMost(
    LONGEST_BOOT_MS,
    closed.catch(() => undefined),
  );
  return undefined;
};
