import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';

const BATCH = 50;
const LEASE = '15 seconds';

/** An event that arrived for a service. */
export interface Incoming {
  readonly id: string;
  readonly event_id: string;
  readonly group_id: string;
  readonly topic: string;
  readonly event_key: string;
  readonly payload: unknown;
  readonly cause: string;
  /** The trace that it belongs to, as `traceparent` tells it. */
  readonly trace: string | null;
  readonly attempts: number;
  /** Seconds since it was published. */
  readonly age: number;
  /** How often a process ended while it handled this, or what was taken together with it. */
  readonly deaths: number;
}

/**
 * The events that wait for a service, handed out to one process at a time. What a process takes is written down beside
 * its lease: whoever takes the lease over from one that is gone counts its end against what it left unfinished.
 */
export class IncomingEvents {
  private readonly holder = randomUUID();

  constructor(
    private readonly service: ServiceName,
    private readonly database: Database,
  ) {}

  /** Whether this process may handle events now; what it took before is over then. */
  async isOurs(): Promise<boolean> {
    const { service, database, holder } = this;
    const held = await database.ungrouped((tx) =>
      tx.query(
        `with held as (
           update ${service}.consumer_lease set holder = $1, held_until = now() + interval '${LEASE}', taken = '{}'
           where id = 1 and (holder = $1 or held_until < now())
           returning old.holder as before, old.taken as left_behind),
         counted as (
           update ${service}.incoming i set deaths = i.deaths + 1 from held
           where held.before <> $1 and i.id = any(held.left_behind))
         select from held`,
        [holder],
      ),
    );
    return held.length > 0;
  }

  /**
   * The next events that may be handled, in order. One that a process ended with is taken alone: it may be what the
   * process died of, and must not take others along.
   */
  next(): Promise<Incoming[]> {
    const { service, database, holder } = this;
    return database.ungrouped((tx) =>
      tx.query<Incoming>(
        `with due as materialized (
           select id, event_id, group_id, topic, event_key, payload, cause, trace, attempts, deaths,
             extract(epoch from clock_timestamp() - occurred_at)::float8 as age
           from ${service}.incoming i
           where not_before <= now()
             and not exists (select from ${service}.parked_key p where p.group_id = i.group_id and p.event_key = i.event_key)
             and not exists (select from ${service}.incoming e where e.group_id = i.group_id and e.event_key = i.event_key
                               and e.id < i.id and e.not_before > now())
           order by id limit ${BATCH}),
         suspect as (select min(id) as id from due where deaths > 0),
         batch as (
           select due.* from due, suspect
           where suspect.id is null or due.id < suspect.id
             or (due.id = suspect.id and suspect.id = (select min(id) from due))),
         taken as (
           update ${service}.consumer_lease set taken = array(select id from batch)
           where id = 1 and holder = $1 and exists (select from batch))
         select * from batch order by id`,
        [holder],
      ),
    );
  }
}
