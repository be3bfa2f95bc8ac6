import type { Selection, Transaction } from '@acervo/platform-database';

/** What the deletion of a process deletes with it, and the document that it names, which stays. */
export const selectAffected = ({ groupId }: Transaction, code: string): Selection<'tasks' | 'documents'> => ({
  rows: {
    tasks: { from: 'operations.process_task t', where: 't.group_id = $1 and t.process_code = $2' },
    documents: {
      from: 'operations.process p',
      where: 'p.group_id = $1 and p.code = $2 and p.document_code is not null',
    },
  },
  params: [groupId, code],
});
