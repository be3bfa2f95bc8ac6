import type { Stage } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import type { PipelineOrder } from '../pipeline-order';
import type { PipelineRow } from '../pipeline-table';
import type { WorkingDocument } from '../../document-state/working-document.store';
import type { Step } from './step';

/** A row of the table with the object that works it. */
export interface PipelineStep {
  readonly row: PipelineRow;
  readonly step: Step;
}

/** The steps before the hand-over. */
export class PipelineSteps {
  /** @param instances by class. @throws where a row has no instance, so that the service does not start */
  constructor(
    private readonly order: PipelineOrder,
    private readonly instances: ReadonlyMap<unknown, Step>,
  ) {
    for (const stage of order.stages) this.of(stage);
  }

  /** The step of a stage; undefined for the hand-over, and for a stage of another kind. */
  of(stage: Stage): PipelineStep | undefined {
    const row = this.order.rowOf(stage);
    return row === undefined ? undefined : this.bound(row);
  }

  /** The stage that continues behind a step. */
  after({ row }: PipelineStep): Stage {
    return this.order.after(row).stage;
  }

  /** The step that a task begins with; undefined where the document is past it. */
  beginning({ row }: PipelineStep, status: DocumentStatus): PipelineStep | undefined {
    const first = this.order.beginning(row, status);
    return first === undefined ? undefined : this.bound(first);
  }

  private bound(row: PipelineRow): PipelineStep | undefined {
    if (row.step === null) return undefined;
    const step = this.instances.get(row.step);
    if (step === undefined) throw new Error(`No provider works the stage ${row.stage.name} of pipeline-table.ts.`);
    return { row, step };
  }
}

/** Whether a step may follow another one within the lease of a document. */
export const isCheapFor = ({ row, step }: PipelineStep, document: WorkingDocument): boolean => {
  if (row.isCheap !== 'by-document') return row.isCheap;
  if (step.isCheap === undefined)
    throw new Error(`The step of ${row.stage.name} does not say for which documents it is cheap.`);
  return step.isCheap(document);
};
