import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { BackgroundDatabase, type Database, type TenantScope, type Transaction } from '@acervo/platform-database';
import { workContext } from '@acervo/platform-observability';
import { claimSql } from './claim-sql';
import { type Claimed, type Lease, LeaseLost, type NewTask } from './lease';
import { isUrgent, LEAST_URGENT } from './urgency';
import { taskTable } from './work-sql';

/** Above the absolute value of every priority. */
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

/** The leases of a batch as a relation; `place` counts them from 1. */
const LEASES = `unnest($2::uuid[], $3::text[], $4::int[], $5::uuid[]) with ordinality
  as given (subject_id, stage, generation, lease, place)`;
const BY_LEASE = `t.group_id = $1 and t.subject_id = given.subject_id and t.stage = given.stage
  and t.generation = given.generation and t.lease = given.lease and t.status = 'LEASED'`;

const leaseParams = (tx: Transaction, leases: readonly Lease[]): unknown[] => [
  tx.groupId,
  leases.map(({ subjectId }) => subjectId),
  leases.map(({ stage }) => stage),
  leases.map(({ generation }) => generation),
  leases.map(({ token }) => token),
];

/** The things at the places that rows name; places count from 1. */
export const atPlaces = <T>(things: readonly T[], rows: readonly { readonly place: number }[]): readonly T[] => {
  const places = new Set(rows.map(({ place }) => place));
  return things.filter((_, index) => places.has(index + 1));
};

/** Fields for the payload of a waiting task. */
export interface Supplement extends Pick<NewTask, 'subjectId' | 'stage' | 'generation'> {
  readonly fields: object;
}

/** The tasks of one service: rows, claimed by lease, fenced by its token, timed by the clock of the database. */
@Injectable()
export class Tasks {
  private readonly table: string;
  /** Groups and stages with urgent tasks enqueued here that `takeUrgent` has not returned yet. */
  private readonly urgent = new Map<string, { readonly groupId: string; readonly stage: string }>();
  /** The tokens of all claims under a scope, which is that of one batch. */
  private readonly tokens = new WeakMap<TenantScope, string[]>();

  constructor(
    @Inject(SERVICE_NAME) service: ServiceName,
    @Inject(BackgroundDatabase) private readonly database: Database,
  ) {
    this.table = taskTable(service);
  }

  /** Enqueues a task. The same task enqueued twice is one task; a task that is over waits again. */
  async enqueue(tx: Transaction, task: NewTask): Promise<void> {
    await this.enqueueAll(tx, [task]);
  }

  /** Enqueues tasks in one statement; each joins its own trace, or else that of the work in progress. */
  async enqueueAll(tx: Transaction, tasks: readonly NewTask[]): Promise<void> {
    if (tasks.length === 0) return;
    const current = workContext.traceparent();
    const rows = tasks.map(({ payload = {}, priority = 0, delayMs = 0, reason = null, trace = current, ...task }) => ({
      ...{ ...task, payload, priority, reason },
      ...{ delayMs, trace },
    }));
    await tx.prepared(
      `insert into ${this.table} as t (group_id, subject_id, stage, generation, payload, priority, not_before, reason, trace)
       select $1::uuid, "subjectId", stage, generation, payload, priority, now() + "delayMs" * interval '1 ms', reason, trace
       from jsonb_to_recordset($2::jsonb) as given ("subjectId" uuid, stage text, generation int, payload jsonb,
         priority int, "delayMs" float8, reason text, trace text)
       on conflict (group_id, subject_id, stage, generation) do update
         set status = 'WAITING', payload = excluded.payload, priority = excluded.priority, attempts = 0,
             deaths = 0, reason = excluded.reason,
             lease = null, leased_until = null, not_before = excluded.not_before, updated_at = now(),
             trace = excluded.trace
         where t.status in ('DONE', 'FAILED')`,
      [tx.groupId, JSON.stringify(rows)],
    );
    for (const task of tasks) this.noteUrgent(tx, task);
  }

  /**
   * Replaces fields of the payloads of tasks that no worker has claimed; their workers then have them. Answers the
   * supplements that found such a task.
   */
  async supplementAll<S extends Supplement>(tx: Transaction, supplements: readonly S[]): Promise<ReadonlySet<S>> {
    const rows = await tx.prepared<{ place: number }>(
      `update ${this.table} t set payload = t.payload || given.fields
       from rows from (jsonb_to_recordset($2::jsonb) as ("subjectId" uuid, stage text, generation int, fields jsonb))
         with ordinality as given ("subjectId", stage, generation, fields, place)
       where t.group_id = $1 and t.subject_id = given."subjectId" and t.stage = given.stage
         and t.generation = given.generation and t.status = 'WAITING' returning given.place::int`,
      [
        tx.groupId,
        JSON.stringify(
          supplements.map(({ subjectId, stage, generation, fields }) => ({ subjectId, stage, generation, fields })),
        ),
      ],
    );
    return new Set(atPlaces(supplements, rows));
  }

  private noteUrgent({ groupId }: Transaction, { stage, priority = 0 }: Pick<NewTask, 'stage' | 'priority'>): void {
    if (groupId !== null && isUrgent({ priority })) this.urgent.set(`${groupId}-${stage}`, { groupId, stage });
  }

  /** Groups and stages of urgent tasks enqueued since the last call; their transactions may still be open. */
  takeUrgent(): readonly { readonly groupId: string; readonly stage: string }[] {
    const places = [...this.urgent.values()];
    this.urgent.clear();
    return places;
  }

  /**
   * Claims up to `limit` waiting tasks, by priority, then by age. A task whose worker is gone comes before them and
   * alone: it may have killed its worker, and must not take others along. Such a task is skipped with `waitingOnly`,
   * and under an urgent scope, which claims urgent tasks only.
   */
  claim(
    scope: TenantScope,
    stage: string,
    limit: number,
    leaseSeconds: number,
    waitingOnly = false,
  ): Promise<Claimed[]> {
    const token = randomUUID();
    this.tokens.set(scope, [...(this.tokens.get(scope) ?? []), token]);
    const isUrgentScope = scope.urgent === true;
    const leastPriority = isUrgentScope ? LEAST_URGENT : -LOWEST;
    return this.database.write(scope, async (tx) => {
      const rows = await tx.query<ClaimedRow>(claimSql(this.table), [
        scope.groupId,
        stage,
        token,
        leaseSeconds,
        limit,
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

  /** Completes a task in the transaction of its result. @throws LeaseLost, and the result is rolled back. */
  async complete(tx: Transaction, lease: Lease): Promise<void> {
    await this.finish(tx, lease, `status = 'DONE', reason = null`, []);
  }

  /**
   * Completes the tasks of a batch in the transaction of their results.
   * @throws LeaseLost where one is lost, and all results are rolled back: ask `owned` first
   */
  async completeAll(tx: Transaction, leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    const done = await tx.prepared(
      `update ${this.table} t set status = 'DONE', reason = null, lease = null, leased_until = null, updated_at = now()
       from ${LEASES} where ${BY_LEASE} returning t.subject_id`,
      leaseParams(tx, leases),
    );
    if (done.length < leases.length) throw new LeaseLost();
  }

  /**
   * Forgets the deaths of earlier workers of a task, in the transaction of a result that its worker stored. Work of many
   * results is given up only where worker after worker dies before the next one.
   */
  async advanced(tx: Transaction, lease: Lease): Promise<void> {
    await tx.prepared(`update ${this.table} set deaths = 0 ${this.byLease} and deaths > 0`, this.key(lease));
  }

  /** The leases that their worker still owns, expired or not. Nothing is locked. */
  async owned<L extends Lease>(tx: Transaction, leases: readonly L[]): Promise<readonly L[]> {
    const rows = await tx.prepared<{ place: number }>(
      `select given.place::int from ${this.table} t, ${LEASES} where ${BY_LEASE}`,
      leaseParams(tx, leases),
    );
    return atPlaces(leases, rows);
  }

  /**
   * Completes a task and deletes its row, where the state of finished work is not asked for: such a table does not grow
   * with work that is done.
   * @throws LeaseLost, and the result is rolled back.
   */
  async completeAndDelete(tx: Transaction, lease: Lease): Promise<void> {
    const gone = await tx.prepared(`delete from ${this.table} ${this.byLease} returning stage`, this.key(lease));
    if (gone.length === 0) throw new LeaseLost();
  }

  /** The same for the tasks of a batch; answers those that their worker still owned. */
  async completeAndDeleteAll<L extends Lease>(tx: Transaction, leases: readonly L[]): Promise<readonly L[]> {
    if (leases.length === 0) return [];
    const rows = await tx.prepared<{ place: number }>(
      `delete from ${this.table} t using ${LEASES} where ${BY_LEASE} returning given.place::int`,
      leaseParams(tx, leases),
    );
    return atPlaces(leases, rows);
  }

  /**
   * Returns a failed task: to be retried after a while, or never. A try that `counts` is one of the tries that its
   * stage allows.
   * @throws LeaseLost
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

  /** Lets claimed tasks wait for a while; a lost lease is left to its next worker. */
  async postponeAll(
    tx: Transaction,
    leases: readonly Lease[],
    { reason, retryInMs, counts }: { readonly reason: string; readonly retryInMs: number; readonly counts: boolean },
  ): Promise<void> {
    if (leases.length === 0) return;
    await tx.prepared(
      `update ${this.table} t set status = 'WAITING', reason = $6, not_before = now() + $7 * interval '1 ms',
         attempts = t.attempts - $8::int, lease = null, leased_until = null, updated_at = now()
       from ${LEASES} where ${BY_LEASE}`,
      [...leaseParams(tx, leases), reason, retryInMs, counts ? 0 : 1],
    );
  }

  /** Returns claimed tasks untried; they wait again. A lost lease is left to its next worker. */
  async release(scope: TenantScope, leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.database.write(scope, (tx) =>
      tx.prepared(
        `update ${this.table} t set status = 'WAITING', attempts = t.attempts - 1, lease = null, leased_until = null,
           updated_at = now()
         from ${LEASES} where ${BY_LEASE}`,
        leaseParams(tx, leases),
      ),
    );
  }

  /**
   * Returns all tasks that are still leased under a scope, untried: their worker was interrupted. Neither the try nor a
   * death is counted. Answers how many there were.
   */
  async releaseAll(scope: TenantScope, stage: string): Promise<number> {
    const tokens = this.tokens.get(scope) ?? [];
    const released = await this.database.write(scope, (tx) =>
      tx.query(
        `update ${this.table} set status = 'WAITING', attempts = attempts - 1, lease = null, leased_until = null,
           updated_at = now()
         where group_id = $1 and stage = $2 and status = 'LEASED' and lease = any($3::uuid[]) returning subject_id`,
        [scope.groupId, stage, tokens],
      ),
    );
    return released.length;
  }

  /** Extends the leases of one group while their batch makes progress; answers those that are not lost. */
  async renew<L extends Lease>(leases: readonly L[], seconds: number): Promise<readonly L[]> {
    const [first] = leases;
    if (first === undefined) return [];
    const rows = await this.database.write(first, (tx) =>
      tx.prepared<{ place: number }>(
        `update ${this.table} t set leased_until = now() + $6 * interval '1 second', updated_at = now()
         from ${LEASES} where ${BY_LEASE} returning given.place::int`,
        [...leaseParams(tx, leases), seconds],
      ),
    );
    return atPlaces(leases, rows);
  }

  /**
   * Withdraws all tasks of a subject, or those of one stage, in every generation; their workers lose the lease. Tasks
   * that are done go too: the table keeps one path through the stages per document, not one per generation.
   */
  async withdraw(tx: Transaction, subjectId: string, stage: string | null = null): Promise<void> {
    await tx.query(
      `delete from ${this.table} where group_id = $1 and subject_id = $2 and ($3::text is null or stage = $3)`,
      [tx.groupId, subjectId, stage],
    );
  }

  /** Lets delayed tasks of one stage and some subjects begin now; answers whether there were any. */
  async hasten(tx: Transaction, subjectIds: readonly string[], stage: string): Promise<boolean> {
    const hastened = await tx.query(
      `update ${this.table} set not_before = now(), updated_at = now()
       where group_id = $1 and subject_id = any($2::uuid[]) and stage = $3 and status = 'WAITING' and not_before > now()
       returning stage`,
      [tx.groupId, subjectIds, stage],
    );
    return hastened.length > 0;
  }

  /**
   * Locks leased tasks for the rest of the transaction; answers those that their worker still owned. A withdrawal waits
   * for them, so that nothing is written after a withdrawal and its purge.
   */
  async lockLeases<L extends Lease>(tx: Transaction, leases: readonly L[]): Promise<readonly L[]> {
    if (leases.length === 0) return [];
    const rows = await tx.prepared<{ place: number }>(
      `select given.place::int from ${this.table} t, ${LEASES} where ${BY_LEASE}
       order by t.subject_id, t.generation for share of t`,
      leaseParams(tx, leases),
    );
    return atPlaces(leases, rows);
  }

  /** Whether a task of a stage waits that may begin now. */
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

  private readonly byLease = `where group_id = $1 and subject_id = $2 and stage = $3 and generation = $4 and lease = $5 and status = 'LEASED'`;

  private key({ groupId, subjectId, stage, generation, token }: Lease): unknown[] {
    return [groupId, subjectId, stage, generation, token];
  }

  private async finish(tx: Transaction, lease: Lease, set: string, params: unknown[]): Promise<void> {
    const done = await tx.prepared(
      `update ${this.table} set ${set}, lease = null, leased_until = null, updated_at = now() ${this.byLease} returning stage`,
      [...this.key(lease), ...params],
    );
    if (done.length === 0) throw new LeaseLost();
  }
}
