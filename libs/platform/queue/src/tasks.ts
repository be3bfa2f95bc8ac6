import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@acervo/contracts';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import { workContext } from '@acervo/platform-observability';
import { claimSql } from './claim-sql';
import { type Claimed, type Lease, LeaseLost, type NewTask } from './lease';
import { isUrgent, LEAST_URGENT, URGENT } from './urgency';

/** No priority is as low as this, negated. */
const LOWEST = 1_000_000;

interface ClaimedRow {
  readonly subject_id: string;
  readonly generation: number;
  readonly attempts: number;
  readonly priority: number;
  readonly deaths: number;
  readonly payload: unknown;
  readonly trace: string | null;
}

/** What a piece of work has as on its first day when it is to be done once more. */
const ANEW = [
  ...['payload', 'priority', 'attempts', 'deaths', 'reason', 'lease', 'leased_until'],
  ...['not_before', 'updated_at', 'trace'],
] as const;

/** The work of one service: rows, claimed by lease, fenced by its token, timed by the clock of the database. */
export class Tasks {
  private readonly table: string;
  /** Groups and stages that were given urgent work here and not yet told of it. */
  private readonly urgent = new Map<string, { readonly groupId: string; readonly stage: string }>();

  constructor(
    service: ServiceName,
    private readonly database: Database,
  ) {
    this.table = `${service}.task`;
  }

  /** Puts work where it waits; the same work put twice is one piece, and work that is over waits anew. */
  async enqueue(tx: Transaction, task: NewTask): Promise<void> {
    const { subjectId, stage, generation, payload = {}, priority = 0, delayMs = 0 } = task;
    await tx.prepared(
      `insert into ${this.table} as t (group_id, subject_id, stage, generation, payload, priority, not_before, trace)
       values ($1, $2, $3, $4, $5::jsonb, $6, now() + $7 * interval '1 ms', $8)
       on conflict (group_id, subject_id, stage, generation) do update
         set status = 'WAITING', payload = excluded.payload, priority = excluded.priority, attempts = 0,
             deaths = 0, reason = null,
             lease = null, leased_until = null, not_before = excluded.not_before, updated_at = now(),
             trace = excluded.trace
         where t.status in ('DONE', 'FAILED')`,
      [tx.groupId, subjectId, stage, generation, JSON.stringify(payload), priority, delayMs, workContext.traceparent()],
    );
    this.noteUrgent(tx, task);
  }

  /**
   * Ends a piece of work in the transaction of its result and puts down the next one of the same subject.
   * @throws LeaseLost, and the result is rolled back.
   */
  async pass(tx: Transaction, lease: Lease, next: Pick<NewTask, 'stage' | 'priority'>): Promise<void> {
    const { stage, priority = 0 } = next;
    const passed = await tx.prepared(
      `with done as (
         update ${this.table} set status = 'DONE', reason = null, lease = null, leased_until = null, updated_at = now()
         ${this.held} returning group_id, subject_id, generation)
       insert into ${this.table} as t (group_id, subject_id, stage, generation, priority, trace)
       select group_id, subject_id, $6, generation, $7, $8 from done
       on conflict (group_id, subject_id, stage, generation) do update
         set status = case when t.status in ('DONE', 'FAILED') then 'WAITING' else t.status end,
             ${ANEW.map((column) => `${column} = case when t.status in ('DONE', 'FAILED') then excluded.${column} else t.${column} end`).join(', ')}
       returning subject_id`,
      [...this.key(lease), stage, priority, lease.trace ?? workContext.traceparent()],
    );
    if (passed.length === 0) throw new LeaseLost();
    this.noteUrgent(tx, next);
  }

  private noteUrgent({ groupId }: Transaction, { stage, priority = 0 }: Pick<NewTask, 'stage' | 'priority'>): void {
    if (groupId !== null && isUrgent({ priority })) this.urgent.set(`${groupId}-${stage}`, { groupId, stage });
  }

  /** Where urgent work was put since the last time that somebody asked, committed by now or about to be. */
  takeUrgent(): readonly { readonly groupId: string; readonly stage: string }[] {
    const places = [...this.urgent.values()];
    this.urgent.clear();
    return places;
  }

  /**
   * Takes up to `limit` pieces that wait, first by priority, then by age. A piece whose worker is gone comes before
   * them and alone: it may be what the worker died of, and must not take others along. With `waitingOnly`, and under an
   * urgent scope, which takes urgent work alone, it is left to others.
   */
  claim(
    scope: TenantScope,
    stage: string,
    limit: number,
    leaseSeconds: number,
    waitingOnly = false,
  ): Promise<Claimed[]> {
    const token = randomUUID();
    const isUrgentScope = scope.urgent === true;
    const leastPriority = isUrgentScope ? LEAST_URGENT : -LOWEST;
    return this.database.write(scope, async (tx) => {
      const rows = await tx.query<ClaimedRow>(claimSql(this.table), [
        ...[scope.groupId, stage, token, leaseSeconds, limit],
        waitingOnly || isUrgentScope,
        leastPriority,
      ]);
      return rows.map(({ subject_id: subjectId, ...row }) => ({
        groupId: scope.groupId,
        subjectId,
        stage,
        token,
        ...row,
      }));
    });
  }

  /** Ends a piece of work in the transaction of its result. @throws LeaseLost, and the result is rolled back. */
  async complete(tx: Transaction, lease: Lease): Promise<void> {
    await this.finish(tx, lease, `status = 'DONE', reason = null`, []);
  }

  /**
   * Ends a piece of work and keeps no row of it: nobody asks afterwards what became of a subject that stood for this
   * work alone. @throws LeaseLost, and the result is rolled back.
   */
  async dismiss(tx: Transaction, lease: Lease): Promise<void> {
    const gone = await tx.prepared(`delete from ${this.table} ${this.held} returning stage`, this.key(lease));
    if (gone.length === 0) throw new LeaseLost();
  }

  /**
   * Gives a piece of work back: to be tried again after a while, or never. A try that `counts` is one of those that a
   * stage allows. @throws LeaseLost
   */
  async fail(
    tx: Transaction,
    lease: Lease,
    { reason, retryInMs, counts = true }: { reason: string; retryInMs: number | null; counts?: boolean },
  ): Promise<void> {
    const next =
      retryInMs === null
        ? `status = 'FAILED', reason = $6`
        : `status = 'WAITING', reason = $6, not_before = now() + $7 * interval '1 ms', attempts = attempts - ${counts ? 0 : 1}`;
    await this.finish(tx, lease, next, retryInMs === null ? [reason] : [reason, retryInMs]);
  }

  /** Keeps a piece of work for longer, while it makes progress. @throws LeaseLost */
  async heartbeat(lease: Lease, seconds: number): Promise<void> {
    await this.database.write(lease, async (tx) => {
      const kept = await tx.prepared(
        `update ${this.table} set leased_until = now() + $6 * interval '1 second', updated_at = now() ${this.held} returning stage`,
        [...this.key(lease), seconds],
      );
      if (kept.length === 0) throw new LeaseLost();
    });
  }

  /**
   * Withdraws all work on a subject, or that of one stage, whatever its generation: whoever holds some loses it. What
   * was done goes too: of each document the table keeps one way through the stages, not one for each generation.
   */
  async withdraw(tx: Transaction, subjectId: string, stage: string | null = null): Promise<void> {
    await tx.query(
      `delete from ${this.table} where group_id = $1 and subject_id = $2 and ($3::text is null or stage = $3)`,
      [tx.groupId, subjectId, stage],
    );
  }

  /** Withdraws work on a subject that is not over; what was done stays told. */
  async abandon(tx: Transaction, subjectId: string): Promise<void> {
    await tx.query(
      `delete from ${this.table} where group_id = $1 and subject_id = $2 and status in ('WAITING', 'LEASED')`,
      [tx.groupId, subjectId],
    );
  }

  /** Moves all work on subjects that is not over before or behind what else waits; what is urgent stays urgent. */
  async prioritise(tx: Transaction, subjectIds: readonly string[], priority: number): Promise<void> {
    await tx.query(
      `update ${this.table} set priority = $3 + case when priority >= $4 then $5 else 0 end, updated_at = now()
       where group_id = $1 and subject_id = any($2::uuid[]) and status in ('WAITING', 'LEASED')`,
      [tx.groupId, subjectIds, priority, LEAST_URGENT, URGENT],
    );
  }

  /** Lets work of one stage on a subject that waits for its time begin now. */
  async hasten(tx: Transaction, subjectId: string, stage: string): Promise<void> {
    await tx.query(
      `update ${this.table} set not_before = now(), updated_at = now()
       where group_id = $1 and subject_id = $2 and stage = $3 and status = 'WAITING' and not_before > now()`,
      [tx.groupId, subjectId, stage],
    );
  }

  /** Whether a piece of work is still in the hands of this worker, in time or not. */
  holds(lease: Lease): Promise<boolean> {
    return this.database.read(lease, async (tx) => {
      const held = await tx.query(`select from ${this.table} ${this.held}`, this.key(lease));
      return held.length > 0;
    });
  }

  /** How many pieces of work are not over. */
  async open(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ open: number }>(
      `select count(*)::int as open from ${this.table} where group_id = $1 and status in ('WAITING', 'LEASED')`,
      [tx.groupId],
    );
    return row?.open ?? 0;
  }

  /** Whether anything of a stage waits that may begin now. */
  hasWaiting(scope: TenantScope, stage: string): Promise<boolean> {
    return this.database.read(scope, async (tx) => {
      const due = await tx.query(
        `select from ${this.table} where group_id = $1 and stage = $2 and not_before <= now()
           and (status = 'WAITING' or (status = 'LEASED' and leased_until < now())) limit 1`,
        [scope.groupId, stage],
      );
      return due.length > 0;
    });
  }

  private readonly held = `where group_id = $1 and subject_id = $2 and stage = $3 and generation = $4 and lease = $5 and status = 'LEASED'`;

  private key({ groupId, subjectId, stage, generation, token }: Lease): unknown[] {
    return [groupId, subjectId, stage, generation, token];
  }

  private async finish(tx: Transaction, lease: Lease, set: string, params: unknown[]): Promise<void> {
    const done = await tx.prepared(
      `update ${this.table} set ${set}, lease = null, leased_until = null, updated_at = now() ${this.held} returning stage`,
      [...this.key(lease), ...params],
    );
    if (done.length === 0) throw new LeaseLost();
  }
}
