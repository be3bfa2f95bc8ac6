/** Mean life of a connection, in milliseconds. */
const LIFETIME_MS = 30_000;

/**
 * Selects the requests that end their connection. A balancer in front of several embedders chooses one for each
 * connection: a new embedder gets its share only when connections end. `fetch` does not tell which connection a request
 * uses, so the requests in use end theirs in turn.
 */
export class ConnectionTurns {
  private readonly everyMs: number;
  private dueAt: number;

  /** @param connections largest number of connections in use */
  constructor(
    connections: number,
    lifetimeMs = LIFETIME_MS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.everyMs = lifetimeMs / connections;
    this.dueAt = this.now() + this.everyMs;
  }

  /** Whether the next request ends its connection. */
  isDue(): boolean {
    const now = this.now();
    if (now < this.dueAt) return false;
    this.dueAt = now + this.everyMs;
    return true;
  }
}
