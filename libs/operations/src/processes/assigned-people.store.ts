import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { Person } from './person';

/** A person of a process, and the entity that the process concerns. */
export interface AssignedPerson extends Person {
  readonly entityCode: string | null;
}

/** The people whom a process and its tasks name. */
@Injectable()
export class AssignedPeopleStore {
  of(tx: Transaction, processCode: string): Promise<AssignedPerson[]> {
    return tx.query<AssignedPerson>(
      `select p.assigned_to_id as "userId", p.assigned_to as code, p.entity_code as "entityCode"
       from operations.process p where p.group_id = $1 and p.code = $2 and p.assigned_to_id is not null
       union select t.assignee_id, t.assignee, p.entity_code
       from operations.process p join operations.process_task t on t.group_id = p.group_id and t.process_code = p.code
       where p.group_id = $1 and p.code = $2 and t.assignee_id is not null`,
      [tx.groupId, processCode],
    );
  }

  /** Takes people out of a process and its tasks. */
  async release(tx: Transaction, processCode: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    await tx.query(
      `update operations.process set assigned_to_id = null, assigned_to = null, updated_at = now()
       where group_id = $1 and code = $2 and assigned_to_id = any($3)`,
      [tx.groupId, processCode, userIds],
    );
    await tx.query(
      `update operations.process_task set assignee_id = null, assignee = null
       where group_id = $1 and process_code = $2 and assignee_id = any($3)`,
      [tx.groupId, processCode, userIds],
    );
  }
}
