import { type ServiceName, services } from '@acervo/contracts';
import { type DatabaseConnection, openPool, ownerRole } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';

/** Tables whose rows come and go: what was deleted takes up space until somebody sweeps. */
const RESTLESS = ['outbox', 'incoming', 'inbox', 'task', 'consumer_lease', 'outbox_lane'] as const;
/** And those of one service. */
const RESTLESS_OF: Partial<Record<ServiceName, readonly string[]>> = { retrieval: ['allowance', 'taking'] };
const QUIET_MS = 30_000;
const ROUND_MS = 300_000;

export interface MaintenanceParts {
  readonly connection: (role: string) => DatabaseConnection;
  /** When somebody last asked for something, in milliseconds of the system clock. */
  readonly lastRequestAt: () => number;
  readonly logger: Logger;
}

/** Sweeps tables while nobody waits: the embedded engine has no worker that does it by itself. */
export class Maintenance {
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> = Promise.resolve();

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
  }

  private async sweep(service: ServiceName): Promise<void> {
    const pool = openPool({ ...this.parts.connection(ownerRole(service)), lane: 'background', max: 1 });
    try {
      for (const table of [...RESTLESS, ...(RESTLESS_OF[service] ?? [])])
        await pool.query(`vacuum (analyze) ${service}.${table}`);
    } finally {
      await pool.end();
    }
  }
}
