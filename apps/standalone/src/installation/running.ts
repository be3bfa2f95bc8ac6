import { setTimeout as pause } from 'node:timers/promises';
import type { Calls } from '@acervo/platform-calls';
import type { Handlers, Together } from './dispatcher';
import type { Print } from '../kernel/print';

/** All services of an installation, in one process or in many. */
export interface RunningServices extends Together {
  readonly publicHandlers: Handlers;
  readonly internalHandlers: Handlers;
  /** Sends the Calls of this program. */
  readonly calls: Calls;
  /**
   * Resolves when events travel between the services. While Kafka is unavailable, this is long after the start.
   * @throws if they never can
   */
  readonly working: Promise<void>;
  close(): Promise<void>;
}

/** Longest wait of a start for events, in milliseconds; after it, the start serves without events. */
const EVENTS_MS = 5_000;

/**
 * Waits until events travel; a start without Kafka prints a message and continues.
 * @throws if events never can travel
 */
export const awaitEvents = async ({ working }: RunningServices, print: Print): Promise<void> => {
  const late = pause(EVENTS_MS, false, { ref: false });
  if (!(await Promise.race([working.then(() => true), late])))
    print('Kafka does not answer yet. Indexed documents can be searched; new ones wait until Kafka answers.');
};
