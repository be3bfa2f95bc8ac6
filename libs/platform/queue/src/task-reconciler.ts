import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import { type DatabaseConnection, openPool, reconcilerRole } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { readWaitingWork, type WaitingWork } from './waiting-work';
import { isOpen, taskTable } from './work-sql';
import type { WorkSignals } from './work-signals';

const EVERY_MS = 5_000;

/** The role that looks for waiting work cannot log in: lost work signals would never be repeated. */
export class ReconcilerRefused extends Error {
  constructor(service: ServiceName) {
    super(
      `The role ${reconcilerRole(service)} cannot log in; set ACERVO_DATABASE_RECONCILER_PASSWORD of ${service} to its password.`,
    );
    this.name = 'ReconcilerRefused';
  }
}

const REFUSED = new Set(['28P01', '28000']);

/** The driver itself refuses to send an empty password. */
const isRefusedLogin = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return REFUSED.has(code) || /^SASL: .*password/.test(message);
};

/** Signals every task that has waited for five seconds: signals may be lost, tasks may not. */
export class TaskReconciler {
  private readonly pool: Pool;
  private readonly rounds;

  /** @param connection the reconciler role: it reads group, stage, state and times of all groups, and nothing else */
  constructor(
    private readonly service: ServiceName,
    connection: DatabaseConnection,
    private readonly workSignals: WorkSignals,
    private readonly logger: Logger,
    everyMs = EVERY_MS,
  ) {
    this.pool = openPool({ ...connection, priority: 'background', max: 1 });
    this.rounds = new Periodic(() => this.reconcile(), { firstMs: 0, everyMs });
  }

  /** Checks at a start that its role can log in. @throws ReconcilerRefused, which names the setting */
  async assertLogin(): Promise<void> {
    await this.pool.query('select 1').catch((error: unknown) => {
      if (isRefusedLogin(error)) throw new ReconcilerRefused(this.service);
      // An absent database is reported by others, and may return.
    });
  }

  start(): void {
    this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    await this.pool.end();
  }

  /** Signals each group and stage with a task that has waited this long; answers the number of signals. */
  async notifyWaiting(seconds = 5): Promise<number> {
    const { rows } = await this.pool.query<{ group_id: string; stage: string }>(
      `select distinct group_id, stage from ${taskTable(this.service)}
       where (status = 'WAITING' and not_before <= now() and updated_at <= now() - $1 * interval '1 second')
          or (status = 'LEASED' and leased_until < now())`,
      [seconds],
    );
    for (const { group_id: groupId, stage } of rows) await this.workSignals.notify(groupId, stage);
    return rows.length;
  }

  /** The groups with open work. */
  async groups(): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ group_id: string }>(
      `select distinct group_id from ${taskTable(this.service)} t where ${isOpen('t')}`,
    );
    return rows.map(({ group_id: groupId }) => groupId);
  }

  /** The work of all groups that could begin now. */
  waitingWork(): Promise<WaitingWork> {
    return readWaitingWork(this.service, this.pool);
  }

  private async reconcile(): Promise<void> {
    try {
      await this.notifyWaiting();
    } catch (error) {
      this.logger.warn({ error }, 'task reconciler is waiting for the database');
    }
  }
}
