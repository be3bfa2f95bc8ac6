import { Injectable } from '@nestjs/common';
import type { DependencyCount } from '@acervo/contracts';
import { countSelected, type Selection, type Transaction } from '@acervo/platform-database';

const CREATED = 'procesos';
const ASSIGNED = 'procesos_asignados';

/** Processes of one user: those that the user started are deleted, the others go to the administrators. */
const selectAffected = ({ groupId }: Transaction, userId: string): Selection<typeof CREATED | typeof ASSIGNED> => ({
  rows: {
    [CREATED]: { from: 'operations.process p', where: 'p.group_id = $1 and p.created_by_id = $2' },
    [ASSIGNED]: {
      from: 'operations.process p',
      where: 'p.group_id = $1 and p.assigned_to_id = $2 and p.created_by_id is distinct from $2',
    },
  },
  params: [groupId, userId],
});

/** Tables in which tasks and definitions name the person whom work goes to. */
const NAMING = ['process_task', 'group_task', 'group_process'] as const;

/** What is deleted with a user, and what loses the user. */
@Injectable()
export class UserProcessesStore {
  async count(tx: Transaction, userId: string): Promise<readonly DependencyCount[]> {
    const counts = await countSelected(tx, selectAffected(tx, userId));
    return ([CREATED, ASSIGNED] as const).map((kind) => ({ kind, count: counts[kind] }));
  }

  /** Deletes the processes that the user started, and takes the user out of the others. */
  async release(tx: Transaction, userId: string): Promise<void> {
    const { rows, params } = selectAffected(tx, userId);
    const { [CREATED]: created, [ASSIGNED]: assigned } = rows;
    await tx.query(`delete from ${created.from} where ${created.where}`, params);
    await tx.query(
      `update ${assigned.from} set assigned_to_id = null, assigned_to = null, updated_at = now() where ${assigned.where}`,
      params,
    );
    for (const table of NAMING)
      await tx.query(
        `update operations.${table} set assignee_id = null, assignee = null where group_id = $1 and assignee_id = $2`,
        params,
      );
  }
}
