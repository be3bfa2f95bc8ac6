import { Inject, Injectable } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { BackgroundDatabase, type Database, type TenantScope, type Transaction } from '@acervo/platform-database';
import type { Stage } from './stages';
import { LEAST_URGENT, URGENT } from './urgency';
import { isOpen, taskTable } from './work-sql';

/** A subquery that answers `subject_id` and `generation`; it may name the group as $1 and its value as $2. */
export interface SubjectSelection {
  readonly sql: string;
  readonly value: unknown;
}

/** Queries of all tasks of a service, and set-based changes of the tasks of many subjects. */
@Injectable()
export class WorkStore {
  private readonly table: string;

  constructor(
    @Inject(SERVICE_NAME) service: ServiceName,
    @Inject(BackgroundDatabase) private readonly database: Database,
  ) {
    this.table = taskTable(service);
  }

  /** The number of open tasks of a group. */
  async countOpen(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ open: number }>(
      `select count(*)::int as open from ${this.table} t where t.group_id = $1 and ${isOpen('t')}`,
      [tx.groupId],
    );
    return row?.open ?? 0;
  }

  /** Whether a group has an open task of any stage but these; one that waits for the given reason counts for none. */
  async hasOpenBeside(
    scope: TenantScope,
    stages: readonly Stage[],
    exceptReason: string | null = null,
  ): Promise<boolean> {
    const rows = await this.database.read(scope, (tx) =>
      tx.query(
        `select from ${this.table} t where t.group_id = $1 and t.stage <> all($2::text[]) and ${isOpen('t')}
           and ($3::text is null or t.reason is distinct from $3) limit 1`,
        [scope.groupId, stages.map(({ name }) => name), exceptReason],
      ),
    );
    return rows.length > 0;
  }

  /**
   * Lets the waiting and failed tasks of subjects begin now, with a priority; those of `except` only where they wait.
   * Answers the subject of each.
   */
  async advance(
    tx: Transaction,
    { sql, value }: SubjectSelection,
    priority: number,
    except: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `update ${this.table} t set status = 'WAITING', not_before = now(), priority = $4, updated_at = now(),
         attempts = case when t.status = 'FAILED' then 0 else t.attempts end,
         deaths = case when t.status = 'FAILED' then 0 else t.deaths end
       from (${sql}) chosen
       where t.group_id = $1 and t.subject_id = chosen.subject_id and t.generation = chosen.generation
         and (t.status = 'WAITING' or t.status = 'FAILED' and t.subject_id <> all($3::uuid[]))
       returning t.subject_id as id`,
      [tx.groupId, value, except, priority],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes the open tasks of subjects; tasks that are done keep their rows. */
  async cancel(tx: Transaction, subjectIds: readonly string[]): Promise<void> {
    await tx.query(
      `delete from ${this.table} t where t.group_id = $1 and t.subject_id = any($2::uuid[]) and ${isOpen('t')}`,
      [tx.groupId, subjectIds],
    );
  }

  /** Gives the open tasks of subjects a priority; an urgent task stays urgent. */
  async prioritise(tx: Transaction, subjectIds: readonly string[], priority: number): Promise<void> {
    await tx.query(
      `update ${this.table} t set priority = $3 + case when t.priority >= $4 then $5 else 0 end, updated_at = now()
       where t.group_id = $1 and t.subject_id = any($2::uuid[]) and ${isOpen('t')}`,
      [tx.groupId, subjectIds, priority, LEAST_URGENT, URGENT],
    );
  }
}
