import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', '57P01', '57P02', '57P03', '08006', '08003']);
const PATIENCE_MS = 8_000;
const PAUSE_MS = 100;

/** Whether an error means that the connection is gone, not that the statement was wrong. */
export const isConnectionLost = (error: unknown): boolean => {
  // Not by instanceof: an error of the system may come from another realm than this code.
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  return (
    LOST.has(code) ||
    /Connection terminated|connection timeout|timeout expired|encountered a connection error/i.test(message)
  );
};

/** How long an engine that is being started again is waited for, as a time of the clock. */
export const patienceFromNow = (): number => Date.now() + PATIENCE_MS;
export const NO_PATIENCE = 0;

export type Access = 'read only' | 'read write';

/** A connection with a transaction whose beginning has been sent. */
interface Begun {
  readonly client: PoolClient;
  readonly answered: Promise<unknown>;
}

/** @param patience until when an engine that is away is waited for */
const begin = async (pool: Pool, sql: string, patience: number): Promise<Begun> => {
  for (;;) {
    try {
      const client = await pool.connect();
      const answered = client.query(sql);
      answered.catch(() => undefined);
      return { client, answered };
    } catch (error) {
      if (!isConnectionLost(error) || Date.now() > patience) throw error;
      await pause(PAUSE_MS);
    }
  }
};

/** Ends a transaction; answers the error where the connection did not survive it. */
const end = async (client: PoolClient, how: 'commit' | 'rollback'): Promise<Error | undefined> => {
  try {
    await client.query(how);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/**
 * The connection of one transaction. Statements travel behind its beginning without waiting for the answer, which spares
 * a round trip. Where a connection turns out to be dead before its transaction began, nothing was done on it: beginning
 * and statements are sent anew on another one.
 */
export class Session {
  private current: Promise<Begun>;

  private constructor(
    private readonly pool: Pool,
    private readonly sql: string,
    private readonly patience: number,
  ) {
    this.current = begin(pool, sql, patience);
  }

  /** @param patience until when an engine that is away is waited for */
  static async begin(pool: Pool, sql: string, patience: number): Promise<Session> {
    const session = new Session(pool, sql, patience);
    await session.current;
    return session;
  }

  /** Waits until the transaction has begun. @throws the error of its beginning */
  async begun(): Promise<void> {
    await this.send(() => Promise.resolve());
  }

  /** @throws the error of the beginning, whatever the statement made of that */
  async send<R>(statement: (client: PoolClient) => Promise<R>): Promise<R> {
    const { current } = this;
    const { client, answered } = await current;
    const sent = statement(client);
    sent.catch(() => undefined);
    try {
      await answered;
    } catch (error) {
      if (!isConnectionLost(error) || Date.now() > this.patience) throw error;
      // Whoever notices first begins anew; all who sent something along follow, in their order.
      if (this.current === current) this.beginAnew(client, error as Error);
      return this.send(statement);
    }
    return sent;
  }

  /** Ends the transaction well. Nothing hangs on the end of one that read: it is not waited for. */
  async commit(access: Access): Promise<void> {
    await this.begun();
    const { client } = await this.current;
    if (access === 'read only') return void end(client, 'commit').then((lost) => client.release(lost));
    await client.query('commit');
    client.release();
  }

  /** Ends the transaction as one that failed. */
  async rollback(error: unknown): Promise<void> {
    const begun = await this.current.catch(() => undefined);
    begun?.client.release(isConnectionLost(error) ? (error as Error) : await end(begun.client, 'rollback'));
  }

  private beginAnew(dead: PoolClient, error: Error): void {
    dead.release(error);
    this.current = pause(PAUSE_MS).then(() => begin(this.pool, this.sql, this.patience));
    this.current.catch(() => undefined);
  }
}
