import { Injectable } from '@nestjs/common';
import { NotFound, type ProcessListRequest } from '@acervo/contracts';
import { processPriority, type ProcessPriority, type ProcessType } from '@acervo/public-mapping';
import { assignmentsOf, type Transaction, uniquely } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { type ProcessOwnership, seesProcess, visibleProcessesSql } from './process-access';
import { OVER, type ProcessState } from './process-state';
import { ProcessConflict } from './processes.errors';
import type { Placed } from './slots';
import { type Person, personColumns } from './person';

/** A process as it is stored. */
export interface ProcessRow extends ProcessOwnership, ProcessState {
  readonly code: string;
  readonly type: ProcessType;
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
  readonly priority: ProcessPriority;
  readonly comments: string | null;
  readonly createdBy: string | null;
  readonly assignedTo: string | null;
  readonly documentCode: string | null;
  readonly dueAt: Date | null;
  readonly cost: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Deletes processes, and keeps what documents and the calendar started them for; those of people and agents are each
 * about a request of its own. Nothing is kept for a definition that is deleted itself.
 */
const deleting = (chosen: string): string => `with deleted as (
    delete from operations.process where group_id = $1 and code in (${chosen})
    returning group_id, type, subject, definition_code, created_by_id),
  kept as (
    insert into operations.started_subject (group_id, subject)
    select p.group_id, p.subject
    from deleted p join operations.group_process d on d.group_id = p.group_id and d.code = p.definition_code
    where p.type = 'GRUPO' and p.created_by_id is null for key share of d on conflict do nothing)
  select from deleted`;

/** A process to be started: of a definition one for a subject, of what services ask for one at a time. */
export interface ProcessDraft {
  /** The next number of the group without it. */
  readonly code?: string;
  readonly type: ProcessType;
  readonly subject: string;
  readonly definitionCode: string | null;
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
  readonly priority: ProcessPriority;
  readonly createdBy: Person | null;
  readonly assignedTo: Person | null;
  readonly entityCode: string | null;
  readonly documentCode: string | null;
  readonly dueAt: Date | null;
}

/** Columns that a change writes; absent ones stay. */
export interface ProcessPatch extends Partial<ProcessState> {
  readonly priority?: ProcessPriority | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly comments?: string | null | undefined;
  readonly assignedTo?: Person | null | undefined;
  readonly dueAt?: Date | null | undefined;
  readonly cost?: number | null | undefined;
}

const ROW = `p.code, p.type, p.name, p.description, p.category, p.status, p.priority, p.comments,
  p.created_by_id as "createdById", p.created_by as "createdBy", p.assigned_to_id as "assignedToId",
  p.assigned_to as "assignedTo", p.entity_code as "entityCode", p.document_code as "documentCode", p.due_at as "dueAt",
  p.finished_at as "finishedAt", p.cost::float8 as cost, p.created_at as "createdAt", p.updated_at as "updatedAt"`;

/** Least urgent first; the index of the order has the same expression. */
export const PRIORITIES = `array['${processPriority.internalCodes.join("','")}']`;

/** The order of every list: the most urgent first, of these the first due, then by place. */
const ORDER = `array_position(${PRIORITIES}, p.priority) desc, p.due_at nulls last, p.position`;

/** The conditions of a list, with their parameters from `$2` on. */
const matching = (scope: Scope, request: Omit<ProcessListRequest, 'limit' | 'page'>) => {
  const { status = null, processType = null, category = null, mine, onlyOpen } = request;
  const params = [status, processType, category, mine, scope.userId, onlyOpen, OVER];
  const visible = visibleProcessesSql(scope, 'p', 2 + params.length);
  return {
    sql: `p.group_id = $1 and ($2::text is null or p.status = $2) and ($3::text is null or p.type = $3)
      and ($4::text is null or p.category = $4)
      and (not $5::boolean or p.created_by_id = $6::uuid or p.assigned_to_id = $6::uuid)
      and (not $7::boolean or p.status <> all($8::text[])) and ${visible.sql}`,
    params: [...params, ...visible.params],
  };
};

/** The processes of a group. */
@Injectable()
export class ProcessStore {
  /** Starts a process; undefined where its subject has one, or had one of a definition. */
  async start(tx: Transaction, draft: ProcessDraft): Promise<string | undefined> {
    if (await this.isTaken(tx, draft)) return undefined;
    const [row] = await tx.query<{ code: string }>(
      `with counted as (
         insert into operations.process_counter as c (group_id, value) values ($1, 1)
         on conflict (group_id) do update set value = c.value + 1 returning value)
       insert into operations.process (group_id, code, position, type, subject, definition_code, name, description,
         category, priority, created_by_id, created_by, assigned_to_id, assigned_to, entity_code, document_code, due_at,
         status)
       select $1, coalesce($2, 'P' || value), value, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
         'ABIERTO' from counted
       on conflict do nothing returning code`,
      [
        tx.groupId,
        draft.code ?? null,
        draft.type,
        draft.subject,
        draft.definitionCode,
        draft.name,
        draft.description,
        draft.category,
        draft.priority,
        draft.createdBy?.userId ?? null,
        draft.createdBy?.code ?? null,
        draft.assignedTo?.userId ?? null,
        draft.assignedTo?.code ?? null,
        draft.entityCode,
        draft.documentCode,
        draft.dueAt,
      ],
    );
    return row?.code;
  }

  /** Asked before a number is taken, so that what is said again takes none. */
  private async isTaken(tx: Transaction, { type, subject }: Pick<ProcessDraft, 'type' | 'subject'>): Promise<boolean> {
    const rows = await tx.query(
      `select from operations.process where group_id = $1 and type = $2 and subject = $3
         and (type = 'GRUPO' or status not in ('TERMINADO', 'CANCELADO'))
       union all select from operations.started_subject where $2 = 'GRUPO' and group_id = $1 and subject = $3 limit 1`,
      [tx.groupId, type, subject],
    );
    return rows.length > 0;
  }

  /** A page of what the caller sees, in the order of every list. */
  list(tx: Transaction, scope: Scope, request: ProcessListRequest): Promise<ProcessRow[]> {
    const { sql, params } = matching(scope, request);
    const { limit, page } = request;
    return tx.query<ProcessRow>(
      `select ${ROW} from operations.process p where ${sql} order by ${ORDER} limit ${limit} offset ${(page - 1) * limit}`,
      [tx.groupId, ...params],
    );
  }

  async count(tx: Transaction, scope: Scope, request: ProcessListRequest): Promise<number> {
    const { sql, params } = matching(scope, request);
    const counting = `select count(*)::int as total from operations.process p where ${sql}`;
    return (await tx.query<{ total: number }>(counting, [tx.groupId, ...params]))[0]?.total ?? 0;
  }

  async find(tx: Transaction, code: string): Promise<ProcessRow | undefined> {
    const sql = `select ${ROW} from operations.process p where p.group_id = $1 and p.code = $2`;
    return (await tx.query<ProcessRow>(sql, [tx.groupId, code]))[0];
  }

  /** @throws NotFound for a process that is absent or invisible */
  async seen(tx: Transaction, scope: Scope, code: string): Promise<ProcessRow> {
    const row = await this.find(tx, code);
    if (row === undefined || !seesProcess(scope, row)) throw new NotFound();
    return row;
  }

  /** Like `seen`, and locks the process until the transaction ends. */
  async lock(tx: Transaction, scope: Scope, code: string): Promise<ProcessRow> {
    await tx.query('select from operations.process where group_id = $1 and code = $2 for update', [tx.groupId, code]);
    return this.seen(tx, scope, code);
  }

  /** The places of processes, which are locked in the order of their codes. @throws NotFound for one that is not seen */
  async lockPlaces(tx: Transaction, scope: Scope, codes: readonly string[]): Promise<Placed[]> {
    const rows = await tx.query<ProcessOwnership & Placed>(
      `select p.code, p.position, p.entity_code as "entityCode", p.created_by_id as "createdById",
         p.assigned_to_id as "assignedToId"
       from operations.process p where p.group_id = $1 and p.code = any($2) order by p.code for update`,
      [tx.groupId, codes],
    );
    const seen = rows.filter((row) => seesProcess(scope, row));
    if (seen.length < new Set(codes).size) throw new NotFound();
    return seen;
  }

  /**
   * Writes the columns that are given.
   * @throws ProcessConflict where a process is opened again while another one is about the same
   */
  async change(tx: Transaction, code: string, patch: ProcessPatch): Promise<void> {
    const { status, finishedAt, priority, name, description, comments, dueAt, cost } = patch;
    const columns = {
      ...{ status, finished_at: finishedAt, priority, name, description, comments, due_at: dueAt, cost },
      ...personColumns('assigned_to_id', 'assigned_to', patch.assignedTo),
    };
    const { sql, params } = assignmentsOf(columns, 3);
    const assigned = [...sql, 'updated_at = now()'].join(', ');
    await uniquely(new ProcessConflict('SUBJECT_IS_OPEN'), () =>
      tx.query(`update operations.process set ${assigned} where group_id = $1 and code = $2`, [
        tx.groupId,
        code,
        ...params,
      ]),
    );
  }

  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(deleting('select $2'), [tx.groupId, code]);
  }

  /** Whether the group has a process that is over. */
  async isAnyOver(tx: Transaction): Promise<boolean> {
    const sql = 'select from operations.process where group_id = $1 and status = any($2) limit 1';
    return (await tx.query(sql, [tx.groupId, OVER])).length > 0;
  }

  /** Deletes some processes that were over more than so many days ago; answers how many. */
  async deleteOver(tx: Transaction, days: number, most: number): Promise<number> {
    const chosen = `select code from operations.process where group_id = $1 and status = any($2)
      and coalesce(finished_at, updated_at) < now() - make_interval(days => $3::int) order by code limit $4`;
    const rows = await tx.query(deleting(chosen), [tx.groupId, OVER, days, most]);
    return rows.length;
  }
}
