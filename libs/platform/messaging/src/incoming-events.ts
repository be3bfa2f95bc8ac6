import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';

const BATCH = 100;
const LEASE = '15 seconds';

/** A row of `incoming`: an event received for a service. */
export interface Incoming {
  readonly id: string;
  readonly event_id: string;
  readonly group_id: string;
  readonly topic: string;
  readonly event_key: string;
  readonly payload: unknown;
  readonly cause: string;
  /** The trace of the event, as a `traceparent`. */
  readonly trace: string | null;
  readonly attempts: number;
  /** Seconds since it was published. */
  readonly age: number;
  /** How often a process died while it handled this event, or one taken with it. */
  readonly deaths: number;
}

/** A row of a claim: an event, or only whether the lease was of this process before. */
type Taken = { readonly isOurs: boolean } & (Incoming | { readonly id: null });

/**
 * The waiting events of a service, given to one process at a time. The lease row records what a process takes. The next
 * owner of an expired lease counts a death against each unfinished event.
 */
export class IncomingEvents {
  private readonly holder = randomUUID();

  constructor(
    private readonly service: ServiceName,
    private readonly database: Database,
  ) {}

  /**
   * The next events that may be handled, in order; none where another process owns the lease. What this process took
   * before counts as finished. Where nothing waits, nothing is written.
   */
  async next(): Promise<readonly Incoming[]> {
    for (;;) {
      const rows = await this.take();
      // The first claim of an expired lease counts deaths: which events may be taken together is known after it.
      if (rows[0]?.isOurs !== false) return rows.filter(({ id }) => id !== null) as Incoming[];
    }
  }

  /** An event that a process died with is taken alone: it may be the cause, and must not take others along. */
  private take(): Promise<readonly Taken[]> {
    const { service, database, holder } = this;
    return database.ungroupedStatement<Taken>(
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
       held as (
         update ${service}.consumer_lease
         set holder = $1, held_until = now() + interval '${LEASE}',
           taken = case when holder = $1 then array(select id from batch) else '{}' end
         where id = 1 and (holder = $1 or held_until < now())
           and (exists (select from batch) or (holder = $1 and taken <> '{}'))
         returning old.holder as before, old.taken as left_behind),
       counted as (
         update ${service}.incoming i set deaths = i.deaths + 1 from held
         where held.before <> $1 and i.id = any(held.left_behind))
       select held.before is not distinct from $1 as "isOurs", batch.*
       from held left join batch on held.before = $1 order by batch.id`,
      [holder],
    );
  }

  /** Gives the lease to the next process at once. Events that were taken and are not finished count no death. */
  async release(): Promise<void> {
    const { service, database, holder } = this;
    await database.ungrouped((tx) =>
      tx.query(
        `update ${service}.consumer_lease set taken = '{}', held_until = now() - interval '1 second'
         where id = 1 and holder = $1`,
        [holder],
      ),
    );
  }
}
