import { OVER } from '../processes/process-state';
import type { Selection, Transaction } from '@acervo/platform-database';

/** The processes that began with a task of their definition and still have to do it; they keep it. */
export const selectAffected = (
  { groupId }: Transaction,
  processCode: string,
  taskCode: string,
): Selection<'pendingProcesses'> => ({
  rows: {
    pendingProcesses: {
      from: `operations.process_task t join operations.process p on p.group_id = t.group_id and p.code = t.process_code`,
      where: `t.group_id = $1 and p.definition_code = $2 and t.code = $3 and t.status = 'PENDIENTE' and p.status <> all($4::text[])`,
    },
  },
  params: [groupId, processCode, taskCode, OVER],
});
