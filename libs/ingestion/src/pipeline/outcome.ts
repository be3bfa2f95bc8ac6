import type { Lease, Stage } from '@acervo/platform-queue';
import type { StepOutput } from './steps/step';
import type { Output, WorkingDocument } from '../document-state/working-document.store';

/** What the steps of one lease made of a document, and what it needs in its transaction. */
export interface DocumentOutput extends Output {
  readonly document: WorkingDocument;
  readonly outputs: readonly StepOutput[];
}

/** The end of the work on one lease: committed once, with all that its steps made. */
export interface Outcome {
  readonly lease: Lease;
  /** Absent where nothing is made: the document is handed over as it is, or the work is outdated. */
  readonly output?: DocumentOutput;
  /** The stage that continues; `hand-over` within the same transaction; null where the work is outdated. */
  readonly nextStage: Stage | 'hand-over' | null;
  /** The document waits before that stage: the pages of the plan are used up. */
  readonly isSuspended?: true;
}

/** The objects that an output names, and the content that they were made of. */
export const leftOf = ({ document, patch, outputs }: DocumentOutput) => ({
  contentHash: patch.contentHash ?? document.contentHash,
  objects: outputs.flatMap(({ objects }) => objects),
});
