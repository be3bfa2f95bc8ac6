import { type ServiceName, services } from '@acervo/contracts';
import { type DatabaseConnection, openPool, ownerRole } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';

type Pool = ReturnType<typeof openPool>;

/** Tables whose rows come and go: what was deleted takes up space until somebody sweeps. */
const RESTLESS = ['outbox', 'incoming', 'inbox', 'task', 'consumer_lease', 'outbox_lane'] as const;
/** And those of one service. */
const RESTLESS_OF: Partial<Record<ServiceName, readonly string[]>> = { retrieval: ['allowance', 'taking'] };
const QUIET_MS = 30_000;
const ROUND_MS = 300_000;
/**
 * Chunks, vectors and documents change less often and take longer to sweep, their indexes above all: a table when a
 * good part of it is dead, one a round, and only when nobody has asked for anything for a while.
 */
const SWOLLEN = { quietMs: 300_000, deadRows: 1_000, deadShare: 0.2 } as const;

export interface MaintenanceParts {
  readonly connection: (role: string) => DatabaseConnection;
  /** When somebody last asked for something, in milliseconds of the system clock. */
  readonly lastRequestAt: () => number;
  readonly logger: Logger;
}

/** A table that is worth the time that sweeping takes. */
interface Swollen {
  readonly service: ServiceName;
  readonly table: string;
  readonly dead: number;
  /** Graphs of vectors take a hundredth of a second for each dead row, and everybody waits meanwhile. */
  readonly hasGraph: boolean;
}

const swollenIn = async (pool: Pool, service: ServiceName): Promise<Swollen[]> => {
  // What the engine has counted is told with the end of a transaction.
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

/** Sweeps tables while nobody waits: the embedded engine has no worker that does it by itself. */
export class Maintenance {
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> = Promise.resolve();
  /** Rows that graphs still name after their table was swept: they count as dead for ever. */
  private readonly kept = new Map<string, number>();

  constructor(private readonly parts: MaintenanceParts) {}

  start(): void {
    this.timer = setInterval(() => {
      this.busy = this.round();
    }, ROUND_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
  }

  /** Sweeps all services, table by table, and stops as soon as somebody asks for something. */
  async round(): Promise<void> {
    for (const service of services) {
      if (Date.now() - this.parts.lastRequestAt() < QUIET_MS) return;
      await this.sweep(service).catch((error: unknown) =>
        this.parts.logger.warn({ error, service }, 'sweeping failed'),
      );
    }
    await this.sweepSwollen().catch((error: unknown) => this.parts.logger.warn({ error }, 'sweeping failed'));
  }

  private sweep(service: ServiceName): Promise<void> {
    return this.asOwner(service, async (pool) => {
      for (const table of [...RESTLESS, ...(RESTLESS_OF[service] ?? [])])
        await pool.query(`vacuum (analyze) ${service}.${table}`);
    });
  }

  /** Sweeps the table with the most dead rows of all services, where one has so many that it matters. */
  private async sweepSwollen(): Promise<void> {
    const found: Swollen[] = [];
    for (const service of services) found.push(...(await this.asOwner(service, (pool) => swollenIn(pool, service))));
    const fresh = ({ service, table, dead }: Swollen): number => dead - (this.kept.get(`${service}.${table}`) ?? 0);
    const [most] = found.filter((each) => fresh(each) >= SWOLLEN.deadRows).sort((a, b) => fresh(b) - fresh(a));
    if (most === undefined || Date.now() - this.parts.lastRequestAt() < SWOLLEN.quietMs) return;
    const { service, table, dead, hasGraph } = most;
    const how = hasGraph ? 'analyze, index_cleanup off' : 'analyze';
    const started = performance.now();
    await this.asOwner(service, (pool) => pool.query(`vacuum (${how}) ${service}."${table}"`));
    if (hasGraph) this.kept.set(`${service}.${table}`, dead);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    this.parts.logger.info({ table: `${service}.${table}`, dead, seconds }, 'a table was swept');
  }

  private async asOwner<T>(service: ServiceName, work: (pool: Pool) => Promise<T>): Promise<T> {
    const pool = openPool({ ...this.parts.connection(ownerRole(service)), lane: 'background', max: 1 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }
}
