import type { Calls } from '@acervo/platform-calls';
import type { Handlers, Together } from './dispatcher';

/** All services of an installation, however many processes they take. */
export interface RunningServices extends Together {
  readonly publicHandlers: Handlers;
  readonly internalHandlers: Handlers;
  /** What this program asks them with. */
  readonly calls: Calls;
  close(): Promise<void>;
}
