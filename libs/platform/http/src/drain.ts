import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * Whether the process has received a stop signal. It is not ready from then on, and still serves: load balancers and
 * callers need time to move to another process.
 */
@Injectable()
export class Draining {
  private readonly stopping = new AbortController();

  constructor() {
    // One for each open stream.
    setMaxListeners(0, this.stopping.signal);
  }

  get begun(): boolean {
    return this.signal.aborted;
  }

  /** Aborted once the drain begins. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  begin(): void {
    this.stopping.abort();
  }
}
