import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { Code, Int, ListOf, OneOf, Text, TextList } from '../fields';
import { operation } from '../operation';
import { RunReference, TouchedWork } from './queue';

export class Batch {
  @TextList({ names: 'document', max: 100, length: 120, description: 'Codes of visible documents, each of them there' })
  readonly documentCodes!: readonly string[];
}

/** The progress of one document of a batch. */
export class BatchItem {
  @Code({ description: 'Document' }) readonly documentCode!: string;
  @OneOf(documentStatus, { description: 'State of the document' }) readonly status!: DocumentStatus;
  @Int({ description: 'Pieces of its work that wait or are worked on, requested runs of skills included' })
  readonly waiting!: number;
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

/** The priority of the work of a run. */
export class RunUpdate extends RunReference {
  @Int({
    min: 1,
    max: 9,
    description: 'Priority of its documents among waiting work: 1 runs first, 9 last, 5 is the default',
  })
  readonly order!: number;
}

const published = { owner: 'ingestion', profile: 'ADMINISTRADOR' } as const;

/** @throws NotFound if one of the documents is absent or invisible. */
export const batchStatus = operation({
  ...published,
  code: 'queue.batch_status',
  kind: 'read',
  screens: ['PROCESS_DOCUMENTS'],
  summary: 'Show the progress of up to a hundred documents.',
  input: Batch,
  output: BatchStatus,
});
/**
 * Restarts waiting and failed work of documents now, before other work.
 * @throws NotFound if one of the documents is absent or invisible; nothing is changed then
 */
export const processBatch = operation({
  ...published,
  code: 'queue.process_batch',
  kind: 'write',
  screens: ['PROCESS_DOCUMENTS', 'PROCESS_PIPELINE'],
  summary: 'Work on what waits or failed of up to a hundred documents now.',
  input: Batch,
  output: ProcessedBatch,
});
/** @throws NotFound */
export const updateRun = operation({
  ...published,
  code: 'pipeline_runs.update',
  kind: 'write',
  screens: ['PROCESS_DOCUMENTS'],
  summary: 'Move the documents of a run forward or back among what waits.',
  input: RunUpdate,
  output: TouchedWork,
});
