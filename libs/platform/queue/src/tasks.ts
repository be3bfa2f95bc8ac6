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

/** Columns of a task that are reset when it is enqueued again. */
const ANEW = [
  ...['payload', 'priority', 'attempts', 'deaths', 'reason', 'lease', 'leased_until'],
  ...['not_before', 'updated_at', 'trace'],
] as const;

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
   * Replaces fields of the payload of a task that no worker has claimed; its worker then has them. Answers whether there
   * was such a task.
   */
  async supplement(
    tx: Transaction,
    { subjectId, stage, generation }: Pick<NewTask, 'subjectId' | 'stage' | 'generation'>,
    fields: object,
  ): Promise<boolean> {
    const rows = await tx.prepared(
      `update ${this.table} set payload = payload || $5::jsonb
       where group_id = $1 and subject_id = $2 and stage = $3 and generation = $4 and status = 'WAITING' returning stage`,
      [tx.groupId, subjectId, stage, generation, JSON.stringify(fields)],
    );
    return rows.length > 0;
  }

  /**
   * Completes a task in the transaction of its result and enqueues the next stage of the same subject.
   * @throws LeaseLost, and the result is rolled back.
   */
  async pass(tx: Transaction, lease: Lease, next: Pick<NewTask, 'stage' | 'priority'>): Promise<void> {
    const { stage, priority = 0 } = next;
    const passed = await tx.prepared(
      `with done as (
         update ${this.table} set status = 'DONE', reason = null, lease = null, leased_until = null, updated_at = now()
         ${this.byLease} returning group_id, subject_id, generation)
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

  /** Completes a task in the transaction of its result. @throws LeaseLost, and the result is rolled back. */
  async complete(tx: Transaction, lease: Lease): Promise<void> {
    await this.finish(tx, lease, `status = 'DONE', reason = null`, []);
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

  /** Returns claimed tasks untried; they wait again. A lost lease is left to its next worker. */
  async release(scope: TenantScope, leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.database.write(scope, async (tx) => {
      for (const lease of leases)
        await this.finish(tx, lease, `status = 'WAITING', attempts = attempts - 1`, []).catch((error: unknown) => {
          if (!(error instanceof LeaseLost)) throw error;
        });
    });
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

  /** Extends the lease of a task while it makes progress. @throws LeaseLost */
  async heartbeat(lease: Lease, seconds: number): Promise<void> {
    await this.database.write(lease, async (tx) => {
      const renewed = await tx.prepared(
        `update ${this.table} set leased_until = now() + $6 * interval '1 second', updated_at = now() ${this.byLease} returning stage`,
        [...this.key(lease), seconds],
      );
      if (renewed.length === 0) throw new LeaseLost();
    });
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

  /** Lets a delayed task of one stage and subject begin now; answers whether there was one. */
  async hasten(tx: Transaction, subjectId: string, stage: string): Promise<boolean> {
    const hastened = await tx.query(
      `update ${this.table} set not_before = now(), updated_at = now()
       where group_id = $1 and subject_id = $2 and stage = $3 and status = 'WAITING' and not_before > now()
       returning stage`,
      [tx.groupId, subjectId, stage],
    );
    return hastened.length > 0;
  }

  /**
   * Locks a leased task for the rest of the transaction: a withdrawal waits for it, so that nothing is written after
   * a withdrawal and its purge. @throws LeaseLost
   */
  async lockLease(tx: Transaction, lease: Lease): Promise<void> {
    const locked = await tx.prepared(`select from ${this.table} ${this.byLease} for share`, this.key(lease));
    if (locked.length === 0) throw new LeaseLost();
  }

  /** Whether the worker still owns the lease, expired or not. */
  ownsLease(lease: Lease): Promise<boolean> {
    return this.database.read(lease, async (tx) => {
      const rows = await tx.query(`select from ${this.table} ${this.byLease}`, this.key(lease));
      return rows.length > 0;
    });
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
