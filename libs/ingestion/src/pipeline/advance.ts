import type { Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import { ADVANCED, priorityOf } from './priority';
import { ACQUIRE, EXTRACT } from './stages';

/** Which documents. */
export type Chosen = { readonly run: number } | { readonly ids: readonly string[] } | 'all';

/** The choice as a condition on `d` that may name its value as $2. */
const conditionOf = (chosen: Chosen): readonly [string, unknown] => {
  if (chosen === 'all') return ['$2::text is null', null];
  return 'run' in chosen ? ['d.run = $2::int', chosen.run] : ['d.document_id = any($2::uuid[])', chosen.ids];
};

/** Has every chosen document that failed begin anew, before all other work where that is told; answers their ids. */
export const retryFailed = async (
  tx: Transaction,
  tasks: Tasks,
  chosen: Chosen,
  priority?: number,
): Promise<string[]> => {
  const [which, value] = conditionOf(chosen);
  const rows = await tx.query<{ id: string; generation: number; order: number; carried: boolean }>(
    `update ingestion.document d set reason = null, retry_on_scan = false, updated_at = now(), revision = revision + 1,
       status = case when parent_id is null then 'DETECTADO' else 'ADQUIRIDO' end
     where d.group_id = $1 and ${which} and d.status = 'ERROR' and d.deleted_at is null
     returning d.document_id as id, d.generation, d.ingestion_order as "order", d.parent_id is not null as carried`,
    [tx.groupId, value],
  );
  for (const { id: subjectId, carried, generation, order } of rows) {
    const stage = (carried ? EXTRACT : ACQUIRE).name;
    await tasks.enqueue(tx, { subjectId, stage, generation, priority: priority ?? priorityOf(order) });
  }
  return rows.map(({ id }) => id);
};

/** Puts the work of documents that waits or failed before all other work; answers how many documents that concerns. */
export const advanceWork = async (tx: Transaction, tasks: Tasks, chosen: Chosen): Promise<number> => {
  const retried = await retryFailed(tx, tasks, chosen, ADVANCED);
  const [which, value] = conditionOf(chosen);
  const rows = await tx.query<{ id: string }>(
    `update ingestion.task t set status = 'WAITING', not_before = now(), priority = ${ADVANCED}, updated_at = now(),
       attempts = case when t.status = 'FAILED' then 0 else t.attempts end,
       deaths = case when t.status = 'FAILED' then 0 else t.deaths end
     from ingestion.document d
     where t.group_id = $1 and d.group_id = $1 and ${which} and t.subject_id = d.document_id
       and t.generation = d.generation and (t.status = 'WAITING' or t.status = 'FAILED' and t.subject_id <> all($3::uuid[]))
     returning d.document_id as id`,
    [tx.groupId, value, retried],
  );
  return new Set([...retried, ...rows.map(({ id }) => id)]).size;
};
