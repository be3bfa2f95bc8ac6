import { Injectable } from '@nestjs/common';
import { type GroupTask, NotFound } from '@acervo/contracts';
import { assignmentsOf, onlyRow, type Transaction } from '@acervo/platform-database';
import { ProcessConflict } from '../processes/processes.errors';
import type { Placed } from '../processes/slots';
import { type Person, personColumns } from '../processes/person';

export interface GroupTaskDraft {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly roleCode: string | null;
  readonly assignee: Person | null;
  readonly days: number | null;
}

/** Columns that a change writes; absent ones stay. */
export type GroupTaskPatch = { readonly [K in keyof Omit<GroupTaskDraft, 'code'>]?: GroupTaskDraft[K] | undefined };

const ROW = `t.process_code as "processCode", t.code as "taskCode", t.name, t.description, t.position,
  t.role_code as "roleCode", t.assignee, t.days`;

/** The tasks of definitions. */
@Injectable()
export class GroupTaskStore {
  list(tx: Transaction, processCode: string): Promise<GroupTask[]> {
    return tx.query<GroupTask>(
      `select ${ROW} from operations.group_task t where t.group_id = $1 and t.process_code = $2
       order by t.position, t.code`,
      [tx.groupId, processCode],
    );
  }

  /** @throws NotFound */
  async get(tx: Transaction, processCode: string, code: string): Promise<GroupTask> {
    const rows = await tx.query<GroupTask>(
      `select ${ROW} from operations.group_task t where t.group_id = $1 and t.process_code = $2 and t.code = $3`,
      [tx.groupId, processCode, code],
    );
    return onlyRow(rows);
  }

  /** Adds a task as the last one. @throws ProcessConflict for a code that is taken */
  async create(tx: Transaction, processCode: string, draft: GroupTaskDraft): Promise<void> {
    const { code, name, description, roleCode, assignee, days } = draft;
    const made = await tx.query(
      `insert into operations.group_task (group_id, process_code, code, name, description, role_code, assignee_id,
         assignee, days, position)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, (select coalesce(max(position), 0) + 1
         from operations.group_task where group_id = $1 and process_code = $2))
       on conflict do nothing returning code`,
      [
        tx.groupId,
        processCode,
        code,
        name,
        description,
        roleCode,
        assignee?.userId ?? null,
        assignee?.code ?? null,
        days,
      ],
    );
    if (made.length === 0) throw new ProcessConflict('CODE_TAKEN');
  }

  /** Writes the columns that are given. */
  async change(tx: Transaction, processCode: string, code: string, patch: GroupTaskPatch): Promise<void> {
    const { name, description, roleCode, assignee, days } = patch;
    const columns = {
      name,
      description,
      role_code: roleCode,
      days,
      ...personColumns('assignee_id', 'assignee', assignee),
    };
    const { sql, params } = assignmentsOf(columns, 4);
    await tx.query(
      `update operations.group_task set ${sql.join(', ')} where group_id = $1 and process_code = $2 and code = $3`,
      [tx.groupId, processCode, code, ...params],
    );
  }

  /** The places of tasks of a definition. @throws NotFound for one that it does not have */
  async places(tx: Transaction, processCode: string, codes: readonly string[]): Promise<Placed[]> {
    const rows = await tx.query<Placed>(
      `select code, position from operations.group_task where group_id = $1 and process_code = $2 and code = any($3)`,
      [tx.groupId, processCode, codes],
    );
    if (rows.length < new Set(codes).size) throw new NotFound();
    return rows;
  }

  async place(tx: Transaction, processCode: string, places: readonly Placed[]): Promise<void> {
    await tx.query(
      `update operations.group_task t set position = given.position
       from unnest($3::text[], $4::int[]) as given (code, position)
       where t.group_id = $1 and t.process_code = $2 and t.code = given.code`,
      [tx.groupId, processCode, places.map(({ code }) => code), places.map(({ position }) => position)],
    );
  }

  async delete(tx: Transaction, processCode: string, code: string): Promise<void> {
    await tx.query('delete from operations.group_task where group_id = $1 and process_code = $2 and code = $3', [
      tx.groupId,
      processCode,
      code,
    ]);
  }
}
