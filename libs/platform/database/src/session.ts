import type { Writable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { pause, retry } from '@acervo/platform-resilience';

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', '57P01', '57P02', '57P03', '08006', '08003']);
/** How long work waits for a restarting engine. */
export const PATIENCE_MS = 8_000;
/** Pause between two tries to reach an absent engine. */
export const PAUSE_MS = 100;

/** Whether an error means that the connection is gone, not that the statement was wrong. */
export const isConnectionLost = (error: unknown): boolean => {
  // No `instanceof`: a system error may come from another realm than this code.
  const { code = '', message = '', syscall } = (error ?? {}) as { code?: string; message?: string; syscall?: string };
  return (
    LOST.has(code) ||
    // The socket of an embedded engine that is being restarted.
    (code === 'ENOENT' && syscall === 'connect') ||
    /Connection terminated|connection timeout|timeout expired|encountered a connection error/i.test(message)
  );
};

/** A deadlock, and a conflict of snapshots. */
const ABORTED = new Set(['40P01', '40001']);

/** Whether the engine aborted a transaction in favour of others: the same transaction may succeed after them. */
export const isAborted = (error: unknown): boolean => ABORTED.has(((error ?? {}) as { code?: string }).code ?? '');

/** Deadline for waiting for a restarting engine, in milliseconds since the epoch. */
export const patienceFromNow = (ms: number): number => Date.now() + ms;
export const NO_PATIENCE = 0;

/** A statement was sent when the end of its transaction had been sent already. */
export class StatementAfterEnd extends Error {
  constructor() {
    super('All statements of this transaction are sent at once; this one came later.');
    this.name = 'StatementAfterEnd';
  }
}

export type Access = 'read only' | 'read write';

/** A connection whose `begin` has been sent. */
interface Begun {
  readonly client: PoolClient;
  readonly answered: Promise<unknown>;
}

/**
 * Sends what is written in this turn of the event loop at once: `begin` and the statements behind it cost one write, and
 * an embedded engine runs them together.
 */
const writeTogether = (client: PoolClient): void => {
  const { stream } = (client as PoolClient & { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
};

/** @param patience deadline for waiting for an absent engine */
const begin = (pool: Pool, sql: string, patience: number): Promise<Begun> =>
  retry(
    async () => {
      const client = await pool.connect();
      writeTogether(client);
      const answered = client.query(sql);
      answered.catch(() => undefined);
      return { client, answered };
    },
    (_, error) => (!isConnectionLost(error) || Date.now() > patience ? undefined : PAUSE_MS),
  );

/** Ends a transaction; answers the error if the connection was lost. */
const end = async (client: PoolClient, how: 'commit' | 'rollback'): Promise<Error | undefined> => {
  try {
    await client.query(how);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/**
 * The connection of one transaction. Statements are sent behind `begin` without waiting for its answer, which saves a
 * round trip. Where the connection was lost before its transaction began, nothing was done on it. Then `begin` and the
 * statements are sent again on another connection.
 */
export class Session {
  private current: Promise<Begun>;
  private isEnding = false;

  private constructor(
    private readonly pool: Pool,
    private readonly sql: string,
    private readonly patience: number,
  ) {
    this.current = begin(pool, sql, patience);
  }

  /** @param patience deadline for waiting for an absent engine */
  static async begin(pool: Pool, sql: string, patience: number): Promise<Session> {
    const session = new Session(pool, sql, patience);
    await session.current;
    return session;
  }

  /** Waits until the transaction has begun. @throws the error of `begin` */
  async begun(): Promise<void> {
    await this.send(() => Promise.resolve());
  }

  /**
   * @throws the error of `begin` rather than the error of the statement; StatementAfterEnd behind the end, where the
   * statement would run outside of the transaction, or in that of another group
   */
  async send<R>(statement: (client: PoolClient) => Promise<R>): Promise<R> {
    if (this.isEnding) throw new StatementAfterEnd();
    return this.sendBehindBegin(statement);
  }

  private async sendBehindBegin<R>(statement: (client: PoolClient) => Promise<R>): Promise<R> {
    const { current } = this;
    const { client, answered } = await current;
    const sent = statement(client);
    sent.catch(() => undefined);
    try {
      await answered;
    } catch (error) {
      if (!isConnectionLost(error) || Date.now() > this.patience) throw error;
      // The first statement that fails opens a new connection; the others follow on it, in their order.
      if (this.current === current) this.replaceClient(client, error as Error);
      return this.sendBehindBegin(statement);
    }
    return sent;
  }

  /** Commits the transaction. The commit of a read-only transaction is not awaited: nothing depends on it. */
  async commit(access: Access): Promise<void> {
    await this.begun();
    this.isEnding = true;
    const { client } = await this.current;
    if (access === 'read only') return void end(client, 'commit').then((lost) => client.release(lost));
    await client.query('commit');
    client.release();
  }

  /**
   * Sends the commit behind the statements so far without waiting for their answers, and releases the connection when it
   * is answered. The commit of a failed transaction rolls it back. Resolves when the transaction has begun.
   * @throws the error of `begin`
   */
  endBehind(): Promise<void> {
    const begun = this.begun();
    const committed = this.sendBehindBegin((client) => end(client, 'commit'));
    this.isEnding = true;
    void committed
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then(async (lost) => (await this.current.catch(() => undefined))?.client.release(lost));
    begun.catch(() => undefined);
    return begun;
  }

  /** Rolls back the transaction. */
  async rollback(error: unknown): Promise<void> {
    this.isEnding = true;
    const begun = await this.current.catch(() => undefined);
    begun?.client.release(isConnectionLost(error) ? (error as Error) : await end(begun.client, 'rollback'));
  }

  private replaceClient(dead: PoolClient, error: Error): void {
    dead.release(error);
    this.current = pause(PAUSE_MS).then(() => begin(this.pool, this.sql, this.patience));
    this.current.catch(() => undefined);
  }
}
