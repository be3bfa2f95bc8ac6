import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Code, Int, ListOf, OneOf, Text, TextList } from '../fields';
import { RunReference, TouchedWork } from './queue';

export class Batch {
  @TextList({ max: 100, length: 120, description: 'Codes of visible documents, each of them there' })
  readonly documentCodes!: readonly string[];
}

/** How far one document of a batch is. */
export class BatchItem {
  @Code({ description: 'Document' }) readonly documentCode!: string;
  @OneOf(documentStatus, { description: 'State of the document' }) readonly status!: DocumentStatus;
  @Int({ description: 'Pieces of its work that wait or are worked on' }) readonly waiting!: number;
  @Int({ description: 'Pieces of its work that failed' }) readonly failed!: number;
  @Text({ max: 500, nullable: true, description: 'Why it is not searchable, where that is known' })
  readonly reason!: string | null;
}

export class BatchStatus {
  @ListOf(() => BatchItem, { max: 100, description: 'The documents by code' })
  readonly documents!: readonly BatchItem[];
  @Int({ description: 'How many they are' }) readonly total!: number;
  @Int({ description: 'How many of them have work that is not over' }) readonly waiting!: number;
  @Int({ description: 'How many of them have work that failed' }) readonly failed!: number;
}

export class ProcessedBatch {
  @Int({ description: 'Documents that it concerned' }) readonly documents!: number;
}

/** Where the work of a run stands among what waits. */
export class RunUpdate extends RunReference {
  @Int({
    min: 1,
    max: 9,
    description: 'Place of its documents among what waits: 1 is worked first, 9 last, 5 is usual',
  })
  readonly order!: number;
}

const asked = { owner: 'ingestion', scope: 'user', callers: ['operations'] } as const;

/** @throws NotFound where one of the documents is absent or invisible. */
export const batchStatus = call({
  ...asked,
  effect: 'read',
  code: 'queue.batch_status',
  input: Batch,
  output: BatchStatus,
});
/** Has the work of documents that waits or failed begin now and before other work. @throws NotFound as above, and nothing is done. */
export const processBatch = call({
  ...asked,
  effect: 'write',
  code: 'queue.process_batch',
  input: Batch,
  output: ProcessedBatch,
});
/** Moves the documents of a visible run forward or back, and their work that waits. @throws NotFound */
export const updateRun = call({
  ...asked,
  effect: 'write',
  code: 'pipeline_runs.update',
  input: RunUpdate,
  output: TouchedWork,
});
