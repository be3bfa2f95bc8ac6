import { createHash } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { type DatabaseConnection, onParameter, openPool } from './connection';
import { TRAFFIC, type TrafficState } from './embedded/traffic';

/** Whatever is done under a group: a user's scope, work on behalf of a group. */
export interface TenantScope {
  readonly groupId: string;
  /** Background work that goes before other background work. */
  readonly urgent?: boolean;
}

/** One open transaction. Made by Database alone, used until its work returns, never kept. */
export interface Transaction {
  readonly groupId: string | null;
  query<R extends object = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /**
   * The same for a statement that runs on every request: it is planned once a connection. Its text is constant, or one
   * of a few; what varies are its parameters.
   */
  prepared<R extends object = Record<string, unknown>>(sql: string, params: readonly unknown[]): Promise<R[]>;
}

/** Settings that a transaction may ask for; each holds until its end. */
const LOCAL_SETTINGS = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_sort',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_nestloop',
  'enable_indexscan',
  'plan_cache_mode',
  'hnsw.iterative_scan',
  'hnsw.ef_search',
  'statement_timeout',
] as const;
export type LocalSettings = Partial<Record<(typeof LOCAL_SETTINGS)[number], string>>;

export class TransactionAlreadyOpen extends Error {
  constructor() {
    super('A transaction is open already; pass it on instead of opening another, or end it first.');
    this.name = 'TransactionAlreadyOpen';
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SETTING = /^[\w.-]{1,40}$/;
const open = new AsyncLocalStorage<true>();

/** Whether the caller stands inside a transaction: no remote call may begin there. */
export const transactionIsOpen = (): boolean => open.getStore() === true;

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', '57P01', '57P02', '57P03', '08006', '08003']);

/** Whether an error means that the connection is gone, not that the statement was wrong. */
export const isConnectionLost = (error: unknown): boolean => {
  // Not by instanceof: an error of the system may come from another realm than this code.
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  return (
    LOST.has(code) ||
    /Connection terminated|connection timeout|timeout expired|encountered a connection error/i.test(message)
  );
};

interface Mode {
  readonly access: 'read only' | 'read write';
  readonly groupId: string | null;
  readonly local?: LocalSettings | undefined;
}

/** The beginning of a transaction in one round trip; its values are checked, because it travels as plain text. */
const beginning = ({ access, groupId, local = {} }: Mode): string => {
  if (groupId !== null && !UUID.test(groupId)) throw new TypeError('A group is named by its UUID.');
  const settings = Object.entries(local).map(([name, value]) => {
    if (!(LOCAL_SETTINGS as readonly string[]).includes(name) || !SETTING.test(value))
      throw new TypeError(`${name} cannot be set for a transaction.`);
    return `set local ${name} = '${value}';`;
  });
  const group = groupId === null ? '' : `select set_config('app.group_id', '${groupId}', true);`;
  return `begin ${access}; ${group} ${settings.join(' ')}`;
};

/**
 * The only door to the database of one login role. Every transaction is opened here, under a group or, for the few
 * tables without one, explicitly without.
 */
export class Database {
  private readonly pool: Pool;
  private traffic: TrafficState = 'quiet';

  /** @param urgent the door that urgent work takes instead */
  constructor(
    connection: DatabaseConnection,
    private readonly urgent?: Database,
  ) {
    this.pool = openPool(connection);
    this.pool.on('connect', (client) =>
      onParameter(client, TRAFFIC, (value) => (this.traffic = value === 'busy' ? 'busy' : 'quiet')),
    );
  }

  /**
   * Whether requests waited for the engine when this door was last used: whoever loads much takes small pieces then and
   * leaves time between them. An engine with sessions enough for all never says so.
   */
  get isWanted(): boolean {
    return this.traffic === 'busy';
  }

  /** READ ONLY under a group. Repeated once when the connection was lost: nothing can have been done twice. */
  async read<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>, local?: LocalSettings): Promise<T> {
    if (scope.urgent === true && this.urgent !== undefined) return this.urgent.read(scope, work, local);
    const mode: Mode = { access: 'read only', groupId: scope.groupId, local };
    try {
      return await this.runAtOnce(mode, work);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return this.run(mode, work);
    }
  }

  /** READ WRITE under a group; committed when the work returns, rolled back when it throws. Never repeated. */
  write<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>, local?: LocalSettings): Promise<T> {
    if (scope.urgent === true && this.urgent !== undefined) return this.urgent.write(scope, work, local);
    return this.run({ access: 'read write', groupId: scope.groupId, local }, work);
  }

  /** READ WRITE without a group, for tables that have none: row level security shows no tenant row here. */
  ungrouped<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run({ access: 'read write', groupId: null }, work);
  }

  /** Whether the database answers. */
  async ping(): Promise<void> {
    await this.pool.query('select 1');
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async run<T>(mode: Mode, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (transactionIsOpen()) throw new TransactionAlreadyOpen();
    return this.finish(await this.begin(beginning(mode)), mode, work);
  }

  /**
   * The beginning travels with the first statement, which spares a round trip. Where the beginning failed nothing was
   * done, and its error is the answer, whatever the work made of that: fit for reads.
   */
  private async runAtOnce<T>(mode: Mode, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (transactionIsOpen()) throw new TransactionAlreadyOpen();
    const sql = beginning(mode);
    const client = await this.pool.connect();
    const begun = client.query(sql);
    begun.catch(() => undefined);
    return this.finish(client, mode, (tx) => work(tx).finally(() => begun));
  }

  private async finish<T>(client: PoolClient, mode: Mode, work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const result = await open.run(true, () => work(transactionOn(client, mode.groupId)));
      // Nothing hangs on the end of a read: its caller goes on while the connection finishes by itself.
      if (mode.access === 'read only') void end(client, 'commit').then((lost) => client.release(lost));
      else await client.query('commit');
      if (mode.access === 'read write') client.release();
      return result;
    } catch (error) {
      client.release(isConnectionLost(error) ? (error as Error) : await end(client, 'rollback'));
      throw error;
    }
  }

  /**
   * A connection with an open transaction. While the engine is being started again it is waited for, up to eight
   * seconds; a pooled connection that turns out to be dead is replaced: nothing has been done on it yet.
   */
  private async begin(sql: string): Promise<PoolClient> {
    const patience = Date.now() + 8_000;
    for (;;) {
      try {
        const client = await this.pool.connect();
        try {
          await client.query(sql);
          return client;
        } catch (error) {
          client.release(isConnectionLost(error) ? (error as Error) : await end(client, 'rollback'));
          throw error;
        }
      } catch (error) {
        if (!isConnectionLost(error) || Date.now() > patience) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}

/** Ends a transaction; answers the error where the connection did not survive it. */
const end = async (client: PoolClient, how: 'commit' | 'rollback'): Promise<Error | undefined> => {
  try {
    await client.query(how);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

const planNames = new Map<string, string>();

/** The name that a statement is prepared under: the same text, the same name, on every connection. */
const planName = (sql: string): string => {
  const known = planNames.get(sql);
  if (known !== undefined) return known;
  const name = `p${createHash('sha1').update(sql).digest('hex').slice(0, 20)}`;
  planNames.set(sql, name);
  return name;
};

const transactionOn = (client: PoolClient, groupId: string | null): Transaction => ({
  groupId,
  query: async <R extends object>(sql: string, params?: readonly unknown[]): Promise<R[]> =>
    (await client.query<R>(sql, params === undefined ? undefined : [...params])).rows,
  prepared: async <R extends object>(sql: string, params: readonly unknown[]): Promise<R[]> =>
    (await client.query<R>({ name: planName(sql), text: sql, values: [...params] })).rows,
});
