import { Injectable } from '@nestjs/common';
import type { ProcessTaskChange } from '@acervo/contracts';
import type { ProcessTaskStatus } from '@acervo/public-mapping';
import type { Transaction } from '@acervo/platform-database';
import { personOf } from './person';
import type { TurnTask } from './task-progress';

/** A task of a process as it is stored. */
export interface ProcessTaskRow extends TurnTask {
  readonly processCode: string;
  readonly name: string;
  readonly description: string;
  readonly roleCode: string | null;
  readonly finishedAt: Date | null;
}

type TaskColumns = Omit<ProcessTaskRow, 'assignee'> & {
  readonly assigneeId: string | null;
  readonly assigneeCode: string | null;
};

const PENDING: ProcessTaskStatus = 'PENDIENTE';

const taskOf = ({ assigneeId, assigneeCode, ...row }: TaskColumns): ProcessTaskRow => ({
  ...row,
  assignee: personOf(assigneeId, assigneeCode),
});

/** The tasks of processes. */
@Injectable()
export class ProcessTaskStore {
  /** The tasks of some processes, by process and place. */
  async of(tx: Transaction, processCodes: readonly string[]): Promise<ProcessTaskRow[]> {
    const rows = await tx.query<TaskColumns>(
      `select t.process_code as "processCode", t.code, t.name, t.description, t.status, t.role_code as "roleCode",
         t.assignee_id as "assigneeId", t.assignee as "assigneeCode", t.days, t.finished_at as "finishedAt"
       from operations.process_task t where t.group_id = $1 and t.process_code = any($2)
       order by t.process_code, t.position, t.code`,
      [tx.groupId, processCodes],
    );
    return rows.map(taskOf);
  }

  /** Gives a process the tasks that its definition has now. Answers whether any of them names a person. */
  async copy(tx: Transaction, definitionCode: string, processCode: string): Promise<boolean> {
    const copied = await tx.query<{ isAssigned: boolean }>(
      `insert into operations.process_task (group_id, process_code, code, name, description, position, status, role_code,
         assignee_id, assignee, days)
       select t.group_id, $3, t.code, t.name, t.description, t.position, '${PENDING}', t.role_code, t.assignee_id,
         t.assignee, t.days
       from operations.group_task t where t.group_id = $1 and t.process_code = $2
       returning assignee_id is not null as "isAssigned"`,
      [tx.groupId, definitionCode, processCode],
    );
    return copied.some(({ isAssigned }) => isAssigned);
  }

  async change(tx: Transaction, processCode: string, changes: readonly ProcessTaskChange[], now: Date): Promise<void> {
    if (changes.length === 0) return;
    await tx.query(
      `update operations.process_task t set status = given.status,
         finished_at = case when given.status = '${PENDING}' then null else $5::timestamptz end
       from unnest($3::text[], $4::text[]) as given (code, status)
       where t.group_id = $1 and t.process_code = $2 and t.code = given.code`,
      [tx.groupId, processCode, changes.map(({ code }) => code), changes.map(({ status }) => status), now],
    );
  }
}
