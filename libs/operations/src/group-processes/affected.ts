import type { Selection, Transaction } from '@acervo/platform-database';

/** What the deletion of a definition deletes with it, and the processes that stay. */
export const selectAffected = ({ groupId }: Transaction, code: string): Selection<'tasks' | 'processes'> => ({
  rows: {
    tasks: { from: 'operations.group_task t', where: 't.group_id = $1 and t.process_code = $2' },
    processes: { from: 'operations.process p', where: 'p.group_id = $1 and p.definition_code = $2' },
  },
  params: [groupId, code],
});
