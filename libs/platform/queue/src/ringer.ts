import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import { type DatabaseConnection, openPool } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import type { Doorbells } from './doorbells';

export interface RingerParts {
  readonly service: ServiceName;
  /** The reconciler role: it sees group, stage, state and times of all groups, and nothing else. */
  readonly connection: DatabaseConnection;
  readonly doorbells: Doorbells;
  readonly logger: Logger;
  readonly everyMs?: number;
}

/** Rings for whatever has waited for five seconds: bells may be lost, work may not. */
export class Ringer {
  private readonly pool: Pool;
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> = Promise.resolve();

  constructor(private readonly parts: RingerParts) {
    this.pool = openPool({ ...parts.connection, lane: 'background', max: 1 });
  }

  start(): void {
    const round = (): void => {
      this.busy = this.round();
    };
    this.timer = setInterval(round, this.parts.everyMs ?? 5_000);
    round();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
    await this.pool.end();
  }

  /** Rings once for each group and stage that has waited for so many seconds; answers how many. */
  async ringWaiting(seconds = 5): Promise<number> {
    const { service, doorbells } = this.parts;
    const { rows } = await this.pool.query<{ group_id: string; stage: string }>(
      `select distinct group_id, stage from ${service}.task
       where (status = 'WAITING' and not_before <= now() and updated_at <= now() - $1 * interval '1 second')
          or (status = 'LEASED' and leased_until < now())`,
      [seconds],
    );
    for (const { group_id: groupId, stage } of rows) await doorbells.ring(groupId, stage);
    return rows.length;
  }

  private async round(): Promise<void> {
    try {
      await this.ringWaiting();
    } catch (error) {
      this.parts.logger.warn({ error }, 'ringer is waiting for the database');
    }
  }
}
