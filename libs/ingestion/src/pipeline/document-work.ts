import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { Tasks, WorkStore } from '@acervo/platform-queue';
import { ADVANCED, priorityOf } from '../kernel/priority';
import { ACQUIRE, EXTRACT } from '../kernel/stages';

/** The chosen documents. */
export type Chosen = { readonly run: number } | { readonly ids: readonly string[] } | 'all';

/** The choice as a condition on `d`; its value is $2. */
const conditionOf = (chosen: Chosen): readonly [string, unknown] => {
  if (chosen === 'all') return ['$2::text is null', null];
  return 'run' in chosen ? ['d.run = $2::int', chosen.run] : ['d.document_id = any($2::uuid[])', chosen.ids];
};

/** Retries and advances the work on chosen documents. */
@Injectable()
export class DocumentWork {
  constructor(
    private readonly tasks: Tasks,
    private readonly work: WorkStore,
  ) {}

  /** Restarts every chosen document that failed, with the priority of its order or a given one; answers their ids. */
  async retryFailed(tx: Transaction, chosen: Chosen, priority?: number): Promise<string[]> {
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
      await this.tasks.enqueue(tx, { subjectId, stage, generation, priority: priority ?? priorityOf(order) });
    }
    return rows.map(({ id }) => id);
  }

  /** Puts waiting and failed work before all other work; answers the number of affected documents. */
  async advance(tx: Transaction, chosen: Chosen): Promise<number> {
    const retried = await this.retryFailed(tx, chosen, ADVANCED);
    const [which, value] = conditionOf(chosen);
    const sql = `select d.document_id as subject_id, d.generation from ingestion.document d where d.group_id = $1 and ${which}`;
    const advanced = await this.work.advance(tx, { sql, value }, ADVANCED, retried);
    return new Set([...retried, ...advanced]).size;
  }
}
