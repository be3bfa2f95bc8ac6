/** A limit for several pieces of work together; what happens between them costs nothing. */
export class TimeLeft {
  private spentMs = 0;

  /** @param late the reason that work which comes too late is aborted with */
  constructor(
    private readonly totalMs: number,
    private readonly late: () => Error,
  ) {}

  /** @param signal of the caller, which aborts the work too */
  async spend<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const [ending, began] = [new AbortController(), performance.now()];
    const timer = setTimeout(() => ending.abort(this.late()), Math.max(0, this.totalMs - this.spentMs));
    const abort = (): void => ending.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await work(ending.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.spentMs += performance.now() - began;
    }
  }
}
