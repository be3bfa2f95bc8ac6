import { createHash } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { Overloaded } from '@acervo/contracts';
import { FairSemaphore, retry } from '@acervo/platform-resilience';
import { type DatabaseConnection, onParameter, openPool } from './connection';
import { TRAFFIC, type TrafficState } from './embedded/traffic';
import {
  type Access,
  isAborted,
  isConnectionLost,
  NO_PATIENCE,
  PATIENCE_MS,
  patienceFromNow,
  PAUSE_MS,
  Session,
} from './session';

/** Scope of work under a group: a user's scope, or work on behalf of a group. */
export interface TenantScope {
  readonly groupId: string;
  /** Marks background work that precedes other background work. */
  readonly urgent?: boolean;
}

/** One open transaction. Only Database creates it; it is used until its work returns, never stored. */
export interface Transaction {
  readonly groupId: string | null;
  query<R extends object = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /**
   * Runs a statement of every request as a prepared one, planned once per connection. Its text is constant, or one of a
   * few; only its parameters vary.
   */
  prepared<R extends object = Record<string, unknown>>(sql: string, params: readonly unknown[]): Promise<R[]>;
}

/** Settings that a transaction may set; each lasts until its end. */
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

/** Whether a transaction is open in the current work: no remote call may begin there. */
export const transactionIsOpen = (): boolean => open.getStore() === true;

interface Mode {
  readonly access: Access;
  readonly groupId: string | null;
  readonly local?: LocalSettings | undefined;
  /** Repeatable read: all statements see the rows as of the first one. */
  readonly isSnapshot?: boolean;
  /** The end of the transaction is sent with its statements. */
  readonly isAtOnce?: boolean;
}

/**
 * The statements that begin a transaction, in one round trip. Values are validated, because they are sent as plain
 * text.
 */
const beginning = ({ access, groupId, local = {}, isSnapshot = false }: Mode): string => {
  if (groupId !== null && !UUID.test(groupId)) throw new TypeError('A group is named by its UUID.');
  const settings = Object.entries(local).map(([name, value]) => {
    if (!(LOCAL_SETTINGS as readonly string[]).includes(name) || !SETTING.test(value))
      throw new TypeError(`${name} cannot be set for a transaction.`);
    return `set local ${name} = '${value}';`;
  });
  const group = groupId === null ? '' : `select set_config('app.group_id', '${groupId}', true);`;
  const isolation = isSnapshot ? 'isolation level repeatable read, ' : '';
  return `begin ${isolation}${access}; ${group} ${settings.join(' ')}`;
};

const admissionOf = ({ max, mostWaiting }: DatabaseConnection): FairSemaphore | undefined =>
  max === undefined || mostWaiting === undefined
    ? undefined
    : new FairSemaphore({ permits: max, mostWaiting, refusal: () => new Overloaded('the database') });

/** How a pool is used at a moment. */
export interface PoolUsage {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * The only access to the database of one login role. Every transaction is opened here, under a group or, for the few
 * tables without one, explicitly without.
 */
export class Database {
  private readonly pool: Pool;
  private readonly admission: FairSemaphore | undefined;
  private traffic: TrafficState = 'quiet';

  /**
   * @param urgent the database that urgent work uses instead
   * @param patienceMs how long work waits for a restarting engine
   */
  constructor(
    connection: DatabaseConnection,
    private readonly urgent?: Database,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.pool = openPool(connection);
    this.admission = admissionOf(connection);
    this.pool.on('connect', (client) =>
      onParameter(client, TRAFFIC, (value) => (this.traffic = value === 'busy' ? 'busy' : 'quiet')),
    );
  }

  /**
   * Whether requests waited for the engine when this database was last used. Work that loads much then takes small
   * batches, with pauses between them. An engine with a session per connection never reports this.
   */
  get isWanted(): boolean {
    return this.traffic === 'busy';
  }

  /**
   * READ ONLY under a group. Repeated once when the connection was lost, or when the engine aborted it for a deadlock or
   * a serialization failure: a read has no effect that could happen twice.
   */
  async read<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>, local?: LocalSettings): Promise<T> {
    if (scope.urgent === true && this.urgent !== undefined) return this.urgent.read(scope, work, local);
    return this.repeated({ access: 'read only', groupId: scope.groupId, local }, work);
  }

  /**
   * READ ONLY under a group in one round trip, as `read` otherwise: `begin`, the statements and `commit` are sent at once.
   * The work sends all of its statements before it waits for an answer; a later one is refused with StatementAfterEnd.
   */
  async readAtOnce<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>, local?: LocalSettings): Promise<T> {
    if (scope.urgent === true && this.urgent !== undefined) return this.urgent.readAtOnce(scope, work, local);
    return this.repeated({ access: 'read only', groupId: scope.groupId, local, isAtOnce: true }, work);
  }

  /** READ WRITE under a group; committed when the work returns, rolled back when it throws. Never repeated. */
  write<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>, local?: LocalSettings): Promise<T> {
    if (scope.urgent === true && this.urgent !== undefined) return this.urgent.write(scope, work, local);
    return this.run({ access: 'read write', groupId: scope.groupId, local }, work);
  }

  /**
   * READ WRITE under a group, where every statement sees the rows as of the first one. A change of a row that another
   * transaction changed meanwhile fails.
   */
  writeFromSnapshot<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run({ access: 'read write', groupId: scope.groupId, isSnapshot: true }, work);
  }

  /** READ WRITE without a group, for tables that have none: row level security shows no tenant row here. */
  ungrouped<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run({ access: 'read write', groupId: null }, work);
  }

  /**
   * One statement without a group, as a transaction of its own: a single round trip. It is repeated when the connection
   * was lost, so it may have had its effect twice.
   */
  ungroupedStatement<R extends object>(sql: string, params: readonly unknown[]): Promise<R[]> {
    if (transactionIsOpen()) return Promise.reject(new TransactionAlreadyOpen());
    const patience = patienceFromNow(this.patienceMs);
    const query = { name: planName(sql), text: sql, values: [...params] };
    return this.admitted(null, () =>
      retry(
        async () => (await this.pool.query<R>(query)).rows,
        (_, error) => (!isConnectionLost(error) || Date.now() > patience ? undefined : PAUSE_MS),
      ),
    );
  }

  /** Connections of the pool in use and idle, and how many transactions wait for one. */
  get usage(): PoolUsage {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount + (this.admission?.queued ?? 0) };
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async repeated<T>(mode: Mode, work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.run(mode, work, NO_PATIENCE);
    } catch (error) {
      if (!isConnectionLost(error) && !isAborted(error)) throw error;
      return this.run(mode, work);
    }
  }

  private run<T>(mode: Mode, work: (tx: Transaction) => Promise<T>, patience?: number): Promise<T> {
    if (transactionIsOpen()) return Promise.reject(new TransactionAlreadyOpen());
    const deadline = patience ?? patienceFromNow(this.patienceMs);
    return this.admitted(mode.groupId, () => this.transaction(mode, work, deadline));
  }

  private admitted<T>(groupId: string | null, work: () => Promise<T>): Promise<T> {
    return this.admission === undefined ? work() : this.admission.run(groupId, work);
  }

  private async transaction<T>(mode: Mode, work: (tx: Transaction) => Promise<T>, patience: number): Promise<T> {
    const session = await Session.begin(this.pool, beginning(mode), patience);
    if (mode.isAtOnce === true) return atOnce(session, mode.groupId, work);
    try {
      // After a refused `begin` with a group, row level security refuses the statements behind it. Without a group it
      // does not, so the answer is awaited.
      if (mode.groupId === null) await session.begun();
      const result = await open.run(true, () => work(transactionOn(session, mode.groupId)));
      await session.commit(mode.access);
      return result;
    } catch (error) {
      await session.rollback(error);
      throw error;
    }
  }
}

const planNames = new Map<string, string>();

/** The name of a prepared statement: the same text has the same name on every connection. */
const planName = (sql: string): string => {
  const cachedName = planNames.get(sql);
  if (cachedName !== undefined) return cachedName;
  const name = `p${createHash('sha1').update(sql).digest('hex').slice(0, 20)}`;
  planNames.set(sql, name);
  return name;
};

const transactionOn = (session: Session, groupId: string | null): Transaction => ({
  groupId,
  query: <R extends object>(sql: string, params?: readonly unknown[]): Promise<R[]> =>
    session.send(async (client) => (await client.query<R>(sql, params === undefined ? undefined : [...params])).rows),
  prepared: <R extends object>(sql: string, params: readonly unknown[]): Promise<R[]> =>
    session.send(
      async (client) => (await client.query<R>({ name: planName(sql), text: sql, values: [...params] })).rows,
    ),
});

const atOnce = async <T>(
  session: Session,
  groupId: string | null,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  // Work that throws at once ends its transaction as well.
  const working = open.run(true, async () => work(transactionOn(session, groupId)));
  working.catch(() => undefined);
  const begun = session.endBehind();
  const result = await working;
  await begun;
  return result;
};
