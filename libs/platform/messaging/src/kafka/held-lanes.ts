import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import { LANES } from '../schema';
import type { WrittenEvent } from './envelope';

/** Events that are read, published and taken away together. */
export const BATCH = 500;
/** Lanes that one relay takes at a time, half of them: to take and leave lanes costs as much as a batch does. */
const LANES_AT_ONCE = LANES / 2;
const LEASE = '15 seconds';
const RENEW_MS = 5_000;

export type OutboxRow = WrittenEvent & { readonly id: string };

const claimSql = (service: ServiceName): string => `
with head as (select distinct lane from (select lane from ${service}.outbox order by id limit ${4 * BATCH}) waiting)
update ${service}.outbox_lane set holder = $1, held_until = now() + interval '${LEASE}'
where lane in (
  select lane from ${service}.outbox_lane where lane in (select lane from head) and (holder = $1 or held_until < now())
  order by lane limit ${LANES_AT_ONCE} for update skip locked)
returning lane`;

/** A statement of its own: it sees what those who held the lanes before have taken away. */
const readSql = (service: ServiceName): string => `
select id, event_id, group_id, topic, event_key, payload::text, cause, to_json(occurred_at) #>> '{}' as occurred_at, trace
from ${service}.outbox where lane = any($1::int[]) and id > $2::bigint order by id limit ${BATCH}`;

/** Lanes of an outbox that one relay holds by lease: nobody else publishes what waits in them. */
export class HeldLanes {
  private constructor(
    private readonly pool: Pool,
    private readonly service: ServiceName,
    private readonly holder: string,
    private readonly lanes: readonly number[],
  ) {}

  /** Takes some of the lanes whose events wait longest; undefined where none is free. */
  static async claim(pool: Pool, service: ServiceName, holder: string): Promise<HeldLanes | undefined> {
    const { rows } = await pool.query<{ lane: number }>(claimSql(service), [holder]);
    const lanes = rows.map(({ lane }) => lane);
    return lanes.length === 0 ? undefined : new HeldLanes(pool, service, holder, lanes);
  }

  /** The next batch, in the order in which the events were written. @param after the last event that was read */
  async read(after?: OutboxRow): Promise<readonly OutboxRow[]> {
    return (await this.pool.query<OutboxRow>(readSql(this.service), [this.lanes, after?.id ?? '0'])).rows;
  }

  /** Takes away what is published. */
  async remove(rows: readonly OutboxRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    await this.pool.query(`delete from ${this.service}.outbox where id = any($1::bigint[])`, [ids]);
  }

  /**
   * Keeps the lanes until the work is over, then lets them go: Kafka may be away for longer than a lease. Who is
   * `stopping` keeps them no longer than the lease that he has: others wait for what he may never end.
   */
  async whileHeld<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T> {
    const sql = `update ${this.service}.outbox_lane set held_until = now() + interval '${LEASE}' where holder = $1 and held_until > now()`;
    const renewing = setInterval(() => void this.pool.query(sql, [this.holder]).catch(() => undefined), RENEW_MS);
    const leave = (): void => clearInterval(renewing);
    if (stopping.aborted) leave();
    stopping.addEventListener('abort', leave);
    try {
      return await work();
    } finally {
      leave();
      stopping.removeEventListener('abort', leave);
      await this.letGo();
    }
  }

  private async letGo(): Promise<void> {
    const sql = `update ${this.service}.outbox_lane set held_until = '-infinity' where holder = $1`;
    await this.pool.query(sql, [this.holder]).catch(() => undefined);
  }
}
