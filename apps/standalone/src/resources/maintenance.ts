import { type ServiceName, services, serviceTable } from '@acervo/contracts';
import { type DatabaseConnection, openPool, ownerRole } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import { Mutex, Periodic, QuietLooks } from '@acervo/platform-resilience';

type Pool = ReturnType<typeof openPool>;

/** Tables with many deletes: dead rows take up space until a vacuum. */
const RESTLESS = ['outbox', 'incoming', 'inbox', 'task', 'consumer_lease', 'outbox_lane'] as const;
/** Such tables of single services. */
const RESTLESS_OF: Partial<Record<ServiceName, readonly string[]>> = {
  retrieval: ['allowance', 'taking', 'retrieval_count'],
  operations: ['model_token', 'model_token_count'],
  ingestion: ['corpus'],
};
/**
 * Each refresh of a space writes its members again, and deletes the earlier ones. These tables may be large: they are
 * vacuumed by volume while they are small, and later where a good part of them is dead, but not in every quiet time.
 */
const REWRITTEN = ['space', 'space_member'] as const;
const QUIET_MS = 30_000;
const ROUND_MS = 300_000;
/**
 * A restless table with this many dead rows is vacuumed while the work goes on, so that new rows take the place of those
 * that are done. It takes milliseconds, as long as the table is small; a larger one waits for a quiet time.
 */
const VOLUME = { everyMs: 10_000, deadRows: 1_000, mostBytes: 16 * 1_048_576 } as const;
/** A program at rest runs up to three hundred statements from one look for such tables to the next: each sixth is taken. */
const AT_REST = { statements: 2_000, looks: 6 } as const;
/**
 * Statistics of a table are renewed after so many changes. Without any, a join of a thousand documents with their tasks
 * is as likely to compare each with each.
 */
const CHANGED = { rows: 500, share: 0.2 } as const;
/**
 * Chunks, vectors and documents change less often, and their indexes make a vacuum slow. Such a table is vacuumed when
 * a good part of it is dead: one table a round, and only after a long quiet time.
 */
const SWOLLEN = { quietMs: 300_000, deadRows: 1_000, deadShare: 0.2 } as const;

export interface MaintenanceDependencies {
  readonly connection: (role: string) => DatabaseConnection;
  /** Time of the last request, in milliseconds of the system clock. */
  readonly lastRequestAt: () => number;
  /** Statements that the engine ran so far. */
  readonly statements: () => number;
  readonly logger: Logger;
}

/** A table with enough dead rows for a slow vacuum. */
interface Swollen {
  readonly service: ServiceName;
  readonly table: string;
  readonly dead: number;
  /** Whether it has an HNSW index: a vacuum of one takes 10 ms per dead row, and blocks all requests meanwhile. */
  readonly hasGraph: boolean;
}

const swollenIn = async (pool: Pool, service: ServiceName): Promise<Swollen[]> => {
  // The engine publishes its statistics at the end of a transaction.
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<Omit<Swollen, 'service'>>(
    `select relname as table, n_dead_tup::int as dead, exists (
         select from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
         where i.indrelid = relid and a.amname = 'hnsw') as "hasGraph"
     from pg_stat_user_tables
     where schemaname = $1 and n_dead_tup >= $2 and n_dead_tup >= $3::float8 * n_live_tup`,
    [service, SWOLLEN.deadRows, SWOLLEN.deadShare],
  );
  return rows.map((row) => ({ service, ...row }));
};

/** A small table, and what it needs now. */
interface Neglected extends Pick<Swollen, 'service' | 'table'> {
  readonly upkeep: 'vacuum' | 'analyze';
}

/**
 * The small tables of every service with many dead rows, or with many changes since their statistics were made; each
 * role sees the statistics of all tables.
 */
const neglectedIn = async (pool: Pool): Promise<Neglected[]> => {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<Neglected>(
    `select schemaname as service, relname as table, upkeep from pg_stat_user_tables
     cross join lateral (
       select 'vacuum' as upkeep where relname = any($2) and n_dead_tup >= $3
       union all
       select 'analyze' where n_mod_since_analyze >= $4 + $5::float8 * n_live_tup) needed
     where schemaname = any($1) and pg_relation_size(relid) <= $6`,
    [
      services,
      [...RESTLESS, ...Object.values(RESTLESS_OF).flat(), ...REWRITTEN],
      VOLUME.deadRows,
      CHANGED.rows,
      CHANGED.share,
      VOLUME.mostBytes,
    ],
  );
  return rows;
};

/** Vacuums and analyzes tables in quiet times, and small ones by volume: the embedded engine has no autovacuum worker. */
export class Maintenance {
  private readonly working = new Mutex();
  private readonly rounds = new Periodic(() => this.working.run(() => this.round()), { everyMs: ROUND_MS });
  private readonly looks = new QuietLooks(AT_REST.statements, AT_REST.looks);
  private readonly recycling = new Periodic(() => this.working.run(() => this.lookForVolume()), {
    everyMs: VOLUME.everyMs,
  });
  /** Dead rows that HNSW indexes still reference after a vacuum without index cleanup; later rounds subtract them. */
  private readonly retained = new Map<string, number>();

  constructor(private readonly dependencies: MaintenanceDependencies) {}

  start(): void {
    this.rounds.start();
    this.recycling.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.rounds.stop(), this.recycling.stop()]);
  }

  /** Vacuums the tables of all services one by one, and stops at the next request. */
  async round(): Promise<void> {
    for (const service of services) {
      if (Date.now() - this.dependencies.lastRequestAt() < QUIET_MS) return;
      await this.sweep(service).catch((error: unknown) =>
        this.dependencies.logger.warn({ error, service }, 'the vacuum failed'),
      );
    }
    await this.sweepSwollen().catch((error: unknown) => this.dependencies.logger.warn({ error }, 'the vacuum failed'));
  }

  /** Vacuums small tables of all services with many dead rows, and renews the statistics of those that changed. */
  async recycle(): Promise<void> {
    try {
      for (const { service, table, upkeep } of await this.asOwner(serviceTable[0].name, neglectedIn))
        await this.asOwner(service, (pool) => pool.query(`${upkeep} ${service}."${table}"`));
    } catch (error) {
      this.dependencies.logger.warn({ error }, 'the vacuum failed');
    }
  }

  private async lookForVolume(): Promise<void> {
    if (this.looks.isDue(this.dependencies.statements())) await this.recycle();
  }

  private sweep(service: ServiceName): Promise<void> {
    return this.asOwner(service, async (pool) => {
      for (const table of [...RESTLESS, ...(RESTLESS_OF[service] ?? [])])
        await pool.query(`vacuum (analyze) ${service}.${table}`);
    });
  }

  /** Vacuums the table with the most dead rows of all services, if they exceed the threshold. */
  private async sweepSwollen(): Promise<void> {
    const found: Swollen[] = [];
    for (const service of services) found.push(...(await this.asOwner(service, (pool) => swollenIn(pool, service))));
    const fresh = ({ service, table, dead }: Swollen): number => dead - (this.retained.get(`${service}.${table}`) ?? 0);
    const [most] = found.filter((each) => fresh(each) >= SWOLLEN.deadRows).sort((a, b) => fresh(b) - fresh(a));
    if (most === undefined || Date.now() - this.dependencies.lastRequestAt() < SWOLLEN.quietMs) return;
    const { service, table, dead, hasGraph } = most;
    const how = hasGraph ? 'analyze, index_cleanup off' : 'analyze';
    const started = performance.now();
    await this.asOwner(service, (pool) => pool.query(`vacuum (${how}) ${service}."${table}"`));
    if (hasGraph) this.retained.set(`${service}.${table}`, dead);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    this.dependencies.logger.info({ table: `${service}.${table}`, dead, seconds }, 'a table was vacuumed');
  }

  private async asOwner<T>(service: ServiceName, work: (pool: Pool) => Promise<T>): Promise<T> {
    const pool = openPool({ ...this.dependencies.connection(ownerRole(service)), priority: 'background', max: 1 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }
}
