import type { Calls } from '@acervo/platform-calls';
import type { Handlers, Together } from './dispatcher';

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
