import { Injectable } from '@nestjs/common';
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
import { Database } from '@acervo/platform-database';
import { WorkSignals, WorkStore } from '@acervo/platform-queue';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { DocumentWork } from '../pipeline/document-work';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { priorityOf } from '../kernel/priority';
import { type BatchRow, readBatch } from './batch.store';
import { RunStore } from '../scans/run.store';

const itemOf = ({ documentCode, status, waiting, failed, reason }: BatchRow): BatchStatus['documents'][number] => ({
  ...{ documentCode, status, waiting, failed, reason },
});

/** Work on several documents at a time: named ones, or those of a run. */
@Injectable()
export class BatchHandlers {
  constructor(
    private readonly database: Database,
    private readonly runs: RunStore,
    private readonly documentWork: DocumentWork,
    private readonly workStore: WorkStore,
    private readonly workSignals: WorkSignals,
  ) {}

  @Handles(batchStatus)
  async status(scope: Scope, { documentCodes }: Batch): Promise<BatchStatus> {
    const visibility = visibilityOf(scope);
    const rows = await this.database.read(visibility, (tx) => readBatch(tx, visibility, documentCodes));
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
      return this.documentWork.advance(tx, { ids: rows.map(({ id }) => id) });
    });
    for (const stage of pipelineOrder.stages) await this.workSignals.notify(scope.groupId, stage.name);
    return { documents };
  }

  @Handles(updateRun)
  update(scope: Scope, { run, order }: RunUpdate, context: WriteContext): Promise<TouchedWork> {
    const { runs, workStore } = this;
    return context.write(async (tx) => {
      await runs.lockForUpdate(tx, visibilityOf(scope), run);
      const ids = await runs.order(tx, run, order);
      await workStore.prioritise(tx, ids, priorityOf(order));
      return { run, documents: ids.length };
    });
  }
}
