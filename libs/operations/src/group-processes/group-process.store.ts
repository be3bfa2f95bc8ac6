import { Injectable } from '@nestjs/common';
import { type GroupProcess, NotFound } from '@acervo/contracts';
import type { ProcessPeriod, ProcessPriority, ProcessTrigger } from '@acervo/public-mapping';
import { assignmentsOf, onlyRow, type Transaction } from '@acervo/platform-database';
import { OVER } from '../processes/process-state';
import { ProcessConflict } from '../processes/processes.errors';
import type { Placed } from '../processes/slots';
import { type Person, personColumns } from '../processes/person';

/** What starts processes of a definition. */
export interface TriggerColumns {
  readonly trigger: ProcessTrigger;
  readonly documentTypeCode: string | null;
  readonly period: ProcessPeriod | null;
}

export interface GroupProcessRow extends Omit<GroupProcess, 'createdAt' | 'updatedAt'>, TriggerColumns {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface GroupProcessDraft extends TriggerColumns {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
  readonly priority: ProcessPriority;
  readonly assignee: Person | null;
  readonly dueDays: number | null;
}

/** Columns that a change writes; absent ones stay. */
export interface GroupProcessPatch {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly category?: string | null | undefined;
  readonly priority?: ProcessPriority | undefined;
  readonly assignee?: Person | null | undefined;
  readonly dueDays?: number | null | undefined;
  readonly trigger?: TriggerColumns | undefined;
}

const ROW = `d.code as "processCode", d.name, d.description, d.category, d.priority, d.position, d.trigger_kind as trigger,
  d.document_type_code as "documentTypeCode", d.period, d.assignee as "defaultAssignee", d.due_days as "dueDays",
  d.version, d.created_at as "createdAt", d.updated_at as "updatedAt",
  (select count(*)::int from operations.group_task t where t.group_id = d.group_id and t.process_code = d.code)
    as "taskCount",
  (select count(*)::int from operations.process p where p.group_id = d.group_id and p.definition_code = d.code
    and p.status <> all($2::text[])) as "openProcesses"`;

/** Since when the calendar starts it: from now on where it did not before. */
const scheduledFrom = ({ period }: TriggerColumns): string =>
  `scheduled_from = ${period === null ? 'null' : 'coalesce(scheduled_from, now())'}`;

/**
 * What a subject has behind the code of its definition: the document, or the period and its first day. Codes contain
 * colons too, so the code alone would also match subjects of longer codes.
 */
const STARTED_FOR = '[0-9a-f-]{36}|[A-Z]+:[0-9-]{10}';

/** The definitions of a group. */
@Injectable()
export class GroupProcessStore {
  list(
    tx: Transaction,
    trigger: ProcessTrigger | null = null,
    query: string | null = null,
  ): Promise<GroupProcessRow[]> {
    return tx.query<GroupProcessRow>(
      `select ${ROW} from operations.group_process d where d.group_id = $1 and ($3::text is null or d.trigger_kind = $3)
         and ($4::text is null or position(lower($4) in lower(concat_ws(' ', d.code, d.name, d.category))) > 0)
       order by d.position, d.code`,
      [tx.groupId, OVER, trigger, query],
    );
  }

  /** @throws NotFound */
  async get(tx: Transaction, code: string): Promise<GroupProcessRow> {
    const sql = `select ${ROW} from operations.group_process d where d.group_id = $1 and d.code = $3`;
    return onlyRow(await tx.query<GroupProcessRow>(sql, [tx.groupId, OVER, code]));
  }

  /** Locks a definition until the transaction ends. @throws NotFound */
  async lock(tx: Transaction, code: string): Promise<GroupProcessRow> {
    await tx.query('select from operations.group_process where group_id = $1 and code = $2 for update', [
      tx.groupId,
      code,
    ]);
    return this.get(tx, code);
  }

  async count(tx: Transaction): Promise<number> {
    const sql = 'select count(*)::int as total from operations.group_process where group_id = $1';
    return (await tx.query<{ total: number }>(sql, [tx.groupId]))[0]?.total ?? 0;
  }

  /** Adds a definition as the last one. @throws ProcessConflict for a code that is taken */
  async create(tx: Transaction, draft: GroupProcessDraft): Promise<void> {
    const { code, name, description, category, priority, assignee, dueDays } = draft;
    const made = await tx.query(
      `insert into operations.group_process (group_id, code, name, description, category, priority, trigger_kind,
         document_type_code, period, scheduled_from, assignee_id, assignee, due_days, position)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $9::text is null then null else now() end, $10, $11, $12,
         (select coalesce(max(position), 0) + 1 from operations.group_process where group_id = $1))
       on conflict do nothing returning code`,
      [
        tx.groupId,
        code,
        name,
        description,
        category,
        priority,
        draft.trigger,
        draft.documentTypeCode,
        draft.period,
        assignee?.userId ?? null,
        assignee?.code ?? null,
        dueDays,
      ],
    );
    if (made.length === 0) throw new ProcessConflict('CODE_TAKEN');
  }

  /** Writes the columns that are given; the version rises. */
  async change(tx: Transaction, code: string, patch: GroupProcessPatch): Promise<void> {
    const { name, description, category, priority, dueDays, trigger } = patch;
    const columns = {
      ...{ name, description, category, priority, due_days: dueDays, trigger_kind: trigger?.trigger },
      ...{ document_type_code: trigger?.documentTypeCode, period: trigger?.period },
      ...personColumns('assignee_id', 'assignee', patch.assignee),
    };
    const { sql, params } = assignmentsOf(columns, 3);
    const schedule = trigger === undefined ? [] : [scheduledFrom(trigger)];
    const assigned = [...sql, ...schedule, 'version = version + 1', 'updated_at = now()'];
    await tx.query(`update operations.group_process set ${assigned.join(', ')} where group_id = $1 and code = $2`, [
      tx.groupId,
      code,
      ...params,
    ]);
  }

  /** A change of a task is a change of its definition. */
  async touch(tx: Transaction, code: string): Promise<void> {
    await this.change(tx, code, {});
  }

  /** The places of definitions, which are locked. @throws NotFound for one that is absent */
  async lockPlaces(tx: Transaction, codes: readonly string[]): Promise<Placed[]> {
    const rows = await tx.query<Placed>(
      `select code, position from operations.group_process where group_id = $1 and code = any($2)
       order by code for update`,
      [tx.groupId, codes],
    );
    if (rows.length < new Set(codes).size) throw new NotFound();
    return rows;
  }

  /** Deletes a definition with its tasks, and what it started: a later one may have its code. */
  async delete(tx: Transaction, code: string): Promise<void> {
    // First: it waits for a deletion of processes that keeps subjects, and later deletions keep none.
    await tx.query('delete from operations.group_process where group_id = $1 and code = $2', [tx.groupId, code]);
    await tx.query(
      `delete from operations.started_subject where group_id = $1 and starts_with(subject, $2::text || ':')
         and substr(subject, length($2) + 2) ~ '^(${STARTED_FOR})$'`,
      [tx.groupId, code],
    );
  }
}
