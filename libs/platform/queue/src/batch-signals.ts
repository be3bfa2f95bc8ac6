/**
 * A signal for each batch in progress, all aborted together at the end of the process. Batches share none: their number
 * depends on the queues and on the urgent work, and listeners of many on one signal look like a leak.
 */
export class BatchSignals {
  private readonly open = new Set<AbortController>();
  private isAborted = false;

  /** Whether the process ends. */
  get areAborted(): boolean {
    return this.isAborted;
  }

  /** Aborts the signals of the batches in progress. */
  abort(): void {
    this.isAborted = true;
    for (const controller of this.open) controller.abort();
  }

  /** Works one batch with a signal of its own. */
  async during<T>(work: (stopping: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (this.isAborted) controller.abort();
    this.open.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.open.delete(controller);
    }
  }
}
