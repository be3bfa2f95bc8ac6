import { Injectable } from '@nestjs/common';
import type { LimitAction } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

/** The longest time of a reservation. No caller waits as long for a search, so the process of an older one has died. */
const FORGOTTEN = '1 minute';

/** Stands for calls without an entity: keys have no null. */
const NO_ENTITY = '';

/** How a retrieval was counted: reserved until its answer, or settled at once in a group without a limit. */
export type ReservationState = 'held' | 'settled';

/** One retrieval to count. */
export interface Retrieval {
  readonly reservationId: string;
  readonly entityCode: string | null;
  /** The time of the request, in milliseconds. */
  readonly now: number;
}

/** A counted retrieval: where a refund goes. */
export interface Reservation extends Retrieval {
  readonly state: ReservationState;
  /** First day of the period that it was counted in. */
  readonly periodStart: string;
}

/** A reservation as it was made. */
export interface Reserved extends Reservation {
  /** No other one is left of the quota. */
  readonly isLast: boolean;
}

/** The quota of a group as its plan says, and what the running period used of it. */
export interface GroupQuota {
  readonly planCode: string | null;
  readonly included: number | null;
  readonly onLimit: LimitAction;
  readonly startDay: number;
  readonly periodStart: string;
  readonly used: number;
}

/** The quota of a group, and what its entities used in the same period. */
export interface CountedQuota extends GroupQuota {
  readonly byEntity: ReadonlyMap<string, number>;
}

/** What a plan says of retrievals. */
export interface PlannedQuota extends Pick<GroupQuota, 'included' | 'onLimit' | 'startDay'> {
  readonly planCode: string;
  readonly revision: number;
}

/** The first day of the period of a moment, in SQL; see `periodAt`. */
const periodSql = (startDay: string): string =>
  `(date_trunc('month', ($3::timestamptz at time zone 'utc') - make_interval(days => ${startDay} - 1))
     + make_interval(days => ${startDay} - 1))::date`;

/** A period never goes back: a process whose clock is behind counts into the later one. */
const RESERVE = `
with counted as (
  insert into retrieval.allowance as a (group_id, used, period_start) values ($1, 1, ${periodSql('1')})
  on conflict (group_id) do update set
    used = case when a.period_start < ${periodSql('a.start_day')} then 1 else a.used + 1 end,
    period_start = greatest(a.period_start, ${periodSql('a.start_day')})
  where a.included is null or a.on_limit = 'ALLOW'
    or case when a.period_start < ${periodSql('a.start_day')} then 0 else a.used end < a.included
  returning a.included is not null and a.on_limit = 'BLOCK' as limited, a.used = a.included as last, a.period_start),
by_entity as (
  insert into retrieval.retrieval_count as c (group_id, period_start, entity_code, used)
  select $1, period_start, $4, 1 from counted
  on conflict (group_id, period_start, entity_code) do update set used = c.used + 1),
held as (
  insert into retrieval.taking (group_id, taking_id, period_start, entity_code)
  select $1, $2, period_start, $4 from counted where limited)
select limited, limited and last as "isLast", period_start::text as "periodStart" from counted`;

/** Answers the running period before and after the plan; the first is null where none was running. */
const APPLY = `
insert into retrieval.allowance as a (group_id, plan_code, plan_revision, included, on_limit, start_day, period_start)
values ($1, $2, $4, $5, $6, $7::int, ${periodSql('$7::int')})
on conflict (group_id) do update set plan_code = excluded.plan_code, plan_revision = excluded.plan_revision,
  included = excluded.included, on_limit = excluded.on_limit, start_day = excluded.start_day,
  used = case when a.period_start < ${periodSql('a.start_day')} then 0 else a.used end,
  period_start = greatest(a.period_start, ${periodSql('a.start_day')}, excluded.period_start)
where a.plan_revision < excluded.plan_revision
returning case when old.period_start >= ${periodSql('old.start_day')} then old.period_start::text end as "from",
  new.period_start::text as "to"`;

/** Takes back what was counted by period and entity, as rows of \`returned (period_start, entity_code, returned)\`. */
const TAKE_BACK = `
counts as (
  update retrieval.retrieval_count c set used = greatest(0, c.used - r.returned) from returned r
  where c.group_id = $1 and c.period_start = r.period_start and c.entity_code = r.entity_code),
counted as (
  update retrieval.allowance a set used = greatest(0, a.used - r.returned)
  from (select period_start, sum(returned)::int as returned from returned group by period_start) r
  where a.group_id = $1 and a.period_start = r.period_start)`;

/**
 * Counts retrievals of a group. Every change of the count locks the row of the group first, so no two transactions
 * wait for each other.
 */
@Injectable()
export class QuotaStore {
  /** Counts one more in the period of its moment; undefined when the quota is used up. */
  async reserve(tx: Transaction, retrieval: Retrieval): Promise<Reserved | undefined> {
    const { reservationId, entityCode, now } = retrieval;
    const [row] = await tx.prepared<{ limited: boolean; isLast: boolean; periodStart: string }>(RESERVE, [
      tx.groupId,
      reservationId,
      new Date(now).toISOString(),
      entityCode ?? NO_ENTITY,
    ]);
    if (row === undefined) return undefined;
    const { limited, isLast, periodStart } = row;
    return { ...retrieval, state: limited ? 'held' : 'settled', periodStart, isLast };
  }

  /** Releases reservations of processes that died. Returns how many. */
  async reclaim(tx: Transaction): Promise<number> {
    await this.lock(tx);
    return this.release(tx, `taken_at < now() - interval '${FORGOTTEN}'`);
  }

  /**
   * Refunds one retrieval that failed, into the period that it was counted in. Where a plan moved that period
   * meanwhile, its counts are those of the running one.
   */
  async refund(tx: Transaction, { reservationId, state, periodStart, entityCode }: Reservation): Promise<void> {
    await this.lock(tx);
    if (state === 'held') await this.release(tx, 'taking_id = $2', [reservationId]);
    else
      await tx.query(
        `with returned as (
           select case when exists (
               select from retrieval.retrieval_count c
               where c.group_id = $1 and c.period_start = $2::date and c.entity_code = $3)
             then $2::date else a.period_start end as period_start, $3::text as entity_code, 1 as returned
           from retrieval.allowance a where a.group_id = $1), ${TAKE_BACK}
         select from returned`,
        [tx.groupId, periodStart, entityCode ?? NO_ENTITY],
      );
  }

  /** Settles a retrieval before its answer; it stays counted. */
  async settle(tx: Transaction, reservationId: string): Promise<void> {
    await tx.prepared('delete from retrieval.taking where group_id = $1 and taking_id = $2', [
      tx.groupId,
      reservationId,
    ]);
  }

  /**
   * The quota of the group and its counts by entity, as of one moment; undefined before its first retrieval and its
   * first plan.
   */
  async find(tx: Transaction): Promise<CountedQuota | undefined> {
    const [row] = await tx.query<GroupQuota & { counts: Readonly<Record<string, number>> }>(
      `select plan_code as "planCode", included, on_limit as "onLimit", start_day as "startDay", used,
         period_start::text as "periodStart",
         (select coalesce(jsonb_object_agg(c.entity_code, c.used), '{}') from retrieval.retrieval_count c
          where c.group_id = a.group_id and c.period_start = a.period_start and c.entity_code <> $2) as counts
       from retrieval.allowance a where group_id = $1`,
      [tx.groupId, NO_ENTITY],
    );
    if (row === undefined) return undefined;
    const { counts, ...quota } = row;
    return { ...quota, byEntity: new Map(Object.entries(counts)) };
  }

  /**
   * Applies a plan, unless a later one is applied already. What the running period used stays counted: where another
   * start day begins a later period at once, the running one and its counts move to that day.
   */
  async apply(tx: Transaction, plan: PlannedQuota, now: number): Promise<void> {
    const { planCode, revision, included, onLimit, startDay } = plan;
    const [applied] = await tx.query<{ from: string | null; to: string }>(APPLY, [
      tx.groupId,
      planCode,
      new Date(now).toISOString(),
      revision,
      included,
      onLimit,
      startDay,
    ]);
    if (applied === undefined || applied.from === null || applied.from === applied.to) return;
    const { from, to } = applied;
    // Statements of their own: they see what was counted while the first one waited for the lock.
    for (const table of ['retrieval_count', 'taking'])
      await tx.query(
        `update retrieval.${table} set period_start = $3::date where group_id = $1 and period_start = $2::date`,
        [tx.groupId, from, to],
      );
  }

  private async lock(tx: Transaction): Promise<void> {
    await tx.query('select from retrieval.allowance where group_id = $1 for update', [tx.groupId]);
  }

  /** Reservations of programs of the last release name no period: they are of the running one. */
  private async release(tx: Transaction, which: string, params: readonly unknown[] = []): Promise<number> {
    const [row] = await tx.query<{ returned: number }>(
      `with gone as (delete from retrieval.taking where group_id = $1 and ${which} returning period_start, entity_code),
       returned as (
         select coalesce(g.period_start, a.period_start) as period_start, g.entity_code, count(*)::int as returned
         from gone g, retrieval.allowance a where a.group_id = $1 group by 1, 2),
       ${TAKE_BACK}
       select coalesce(sum(returned), 0)::int as returned from returned`,
      [tx.groupId, ...params],
    );
    return row?.returned ?? 0;
  }
}
