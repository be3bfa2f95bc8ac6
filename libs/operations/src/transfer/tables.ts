import type { transferredProcesses } from '@acervo/contracts';
import type { TransferTable } from '@acervo/platform-database';

/** A page of the longest comments has to fit into one call. */
const PROCESSES_OF_A_PAGE = 50;

/** The tables that are transferred: processes, which keep their codes, and calls of chat models with their counts. */
export const processTables: readonly (TransferTable & {
  readonly name: (typeof transferredProcesses)[number];
})[] = [
  { name: 'process_counter', key: ['group_id'] },
  { name: 'group_process', key: ['code'] },
  { name: 'group_task', key: ['process_code', 'code'] },
  { name: 'process', key: ['code'], pageRows: PROCESSES_OF_A_PAGE },
  { name: 'process_task', key: ['process_code', 'code'] },
  { name: 'model_token', key: ['group_id'] },
  { name: 'model_token_count', key: ['period_start', 'entity_code'] },
  { name: 'model_call', key: ['call_id'] },
  { name: 'started_subject', key: ['subject'] },
];

/** Tables that are not transferred: the audit, answers that live for a day, plans, tasks, and pages of an export itself. */
export const leftBehind = ['audit_record', 'audit_head', 'idempotency', 'group_plan', 'export_page', 'task'] as const;
