import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import { Periodic } from '@acervo/platform-resilience';
import { PARTITIONS } from '../schema';
import type { WrittenEvent } from './envelope';

/** Events that are read, published and deleted together. */
export const BATCH = 500;
/** Partitions that one relay leases at a time, half of them: to lease and release costs as much as a batch. */
const PARTITIONS_AT_ONCE = PARTITIONS / 2;
const LEASE = '15 seconds';
const RENEW_MS = 5_000;

export type OutboxRow = WrittenEvent & { readonly id: string };

const claimSql = (service: ServiceName): string => `
with head as (select distinct lane from (select lane from ${service}.outbox order by id limit ${4 * BATCH}) waiting)
update ${service}.outbox_lane set holder = $1, held_until = now() + interval '${LEASE}'
where lane in (
  select lane from ${service}.outbox_lane where lane in (select lane from head) and (holder = $1 or held_until < now())
  order by lane limit ${PARTITIONS_AT_ONCE} for update skip locked)
returning lane`;

/** A separate statement: it sees which rows the previous holders of the partitions have deleted. */
const readSql = (service: ServiceName): string => `
select id, event_id, group_id, topic, event_key, payload::text, cause, to_json(occurred_at) #>> '{}' as occurred_at, trace
from ${service}.outbox where lane = any($1::int[]) and id > $2::bigint order by id limit ${BATCH}`;

/** Partitions of an outbox leased to one relay: no other relay publishes their events. */
export class PartitionLease {
  private constructor(
    private readonly pool: Pool,
    private readonly service: ServiceName,
    private readonly holder: string,
    private readonly partitions: readonly number[],
  ) {}

  /** Leases some of the partitions whose events wait longest; undefined where none is free. */
  static async claim(pool: Pool, service: ServiceName, holder: string): Promise<PartitionLease | undefined> {
    const { rows } = await pool.query<{ lane: number }>(claimSql(service), [holder]);
    const partitions = rows.map(({ lane }) => lane);
    return partitions.length === 0 ? undefined : new PartitionLease(pool, service, holder, partitions);
  }

  /** The next batch, in the order of the outbox. @param after the last event that was read */
  async read(after?: OutboxRow): Promise<readonly OutboxRow[]> {
    return (await this.pool.query<OutboxRow>(readSql(this.service), [this.partitions, after?.id ?? '0'])).rows;
  }

  /** Deletes published rows. */
  async remove(rows: readonly OutboxRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    await this.pool.query(`delete from ${this.service}.outbox where id = any($1::bigint[])`, [ids]);
  }

  /**
   * Renews the lease until the work is over, then releases it: Kafka may be away for longer than a lease. After
   * `stopping` the lease is no longer renewed, so that work which may never end does not block other relays.
   */
  async runThenRelease<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T> {
    const sql = `update ${this.service}.outbox_lane set held_until = now() + interval '${LEASE}' where holder = $1 and held_until > now()`;
    const renew = async (): Promise<void> => void (await this.pool.query(sql, [this.holder]));
    const renewing = new Periodic(renew, { everyMs: RENEW_MS });
    const leave = (): void => void renewing.stop();
    if (!stopping.aborted) renewing.start();
    stopping.addEventListener('abort', leave);
    try {
      return await work();
    } finally {
      leave();
      stopping.removeEventListener('abort', leave);
      await this.release();
    }
  }

  private async release(): Promise<void> {
    const sql = `update ${this.service}.outbox_lane set held_until = '-infinity' where holder = $1`;
    await this.pool.query(sql, [this.holder]).catch(() => undefined);
  }
}
