import { setTimeout as pause } from 'node:timers/promises';
import type { Calls } from '@acervo/platform-calls';
import type { Handlers, Together } from './dispatcher';
import type { Say } from './intake';

/** All services of an installation, however many processes they take. */
export interface RunningServices extends Together {
  readonly publicHandlers: Handlers;
  readonly internalHandlers: Handlers;
  /** What this program asks them with. */
  readonly calls: Calls;
  /**
   * Resolves when events come and go between them, which is long after the start where Kafka is away.
   * @throws when they never can
   */
  readonly working: Promise<void>;
  close(): Promise<void>;
}

/** How long a start waits for events to travel before it serves without. */
const EVENTS_MS = 5_000;

/** Waits until events travel; without Kafka everything else goes on. @throws where they never can */
export const awaitEvents = async ({ working }: RunningServices, say: Say): Promise<void> => {
  const late = pause(EVENTS_MS, false, { ref: false });
  if (!(await Promise.race([working.then(() => true), late])))
    say('Kafka does not answer yet. What is there is searched; what is new waits, and goes on by itself.');
};
