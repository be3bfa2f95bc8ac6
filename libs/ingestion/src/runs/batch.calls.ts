import {
  type Batch,
  batchStatus,
  type BatchStatus,
  processBatch,
  type ProcessedBatch,
  type RunUpdate,
  type TouchedWork,
  updateRun,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Doorbells, Tasks } from '@acervo/platform-queue';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { advanceWork } from '../pipeline/advance';
import { priorityOf } from '../pipeline/priority';
import { pipelineStages } from '../pipeline/stages';
import { type BatchRow, readBatch } from './batch.store';
import type { RunStore } from './run.store';

export interface BatchParts {
  readonly database: Database;
  readonly runs: RunStore;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
}

const itemOf = ({ documentCode, status, waiting, failed, reason }: BatchRow): BatchStatus['documents'][number] => ({
  ...{ documentCode, status, waiting, failed, reason },
});

/** The work on several documents at a time: those that somebody names, or those of a run. */
export class BatchCalls {
  constructor(private readonly parts: BatchParts) {}

  @Handles(batchStatus)
  async status(scope: Scope, { documentCodes }: Batch): Promise<BatchStatus> {
    const visibility = visibilityOf(scope);
    const rows = await this.parts.database.read(visibility, (tx) => readBatch(tx, visibility, documentCodes));
    return {
      documents: rows.map(itemOf),
      total: rows.length,
      waiting: rows.filter(({ waiting }) => waiting > 0).length,
      failed: rows.filter(({ failed }) => failed > 0).length,
    };
  }

  @Handles(processBatch)
  async process(scope: Scope, { documentCodes }: Batch, context: WriteContext): Promise<ProcessedBatch> {
    const documents = await context.write(async (tx) => {
      const rows = await readBatch(tx, visibilityOf(scope), documentCodes);
      return advanceWork(tx, this.parts.tasks, { ids: rows.map(({ id }) => id) });
    });
    for (const stage of pipelineStages) await this.parts.doorbells.ring(scope.groupId, stage.name);
    return { documents };
  }

  @Handles(updateRun)
  update(scope: Scope, { run, order }: RunUpdate, context: WriteContext): Promise<TouchedWork> {
    const { runs, tasks } = this.parts;
    return context.write(async (tx) => {
      await runs.hold(tx, visibilityOf(scope), run);
      const ids = await runs.order(tx, run, order);
      await tasks.prioritise(tx, ids, priorityOf(order));
      return { run, documents: ids.length };
    });
  }
}
