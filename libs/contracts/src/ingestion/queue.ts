import {
  type PipelineProcess,
  pipelineProcess,
  type QueueStatus,
  queueStatus,
  type RunStatus,
  runStatus,
} from '@acervo/public-mapping';
import { call } from '../calls';
import { Code, Int, ListOf, Moment, OneOf, Text } from '../fields';
import { Empty } from './folders';

export class QueueRequest {
  @OneOf(pipelineProcess, { optional: true, description: 'Only work of this kind' }) readonly process?: PipelineProcess;
  @OneOf(queueStatus, { optional: true, description: 'Only work in this state' }) readonly status?: QueueStatus;
  @Int({ min: 1, max: 200, default: 20, description: 'Most items to return' }) readonly limit!: number;
}

/** One step of one document. */
export class QueueItem {
  @Code({ description: 'Document' }) readonly documentCode!: string;
  @Text({ max: 1024, description: 'Name of the document' }) readonly documentName!: string;
  @OneOf(pipelineProcess, { description: 'What is done' }) readonly process!: PipelineProcess;
  @OneOf(queueStatus, { description: 'State of the work; WAITING is tried again later' }) readonly status!: QueueStatus;
  @Int({ description: 'Times that it was begun' }) readonly attempts!: number;
  @Text({ max: 500, nullable: true, description: 'Why it failed the last time' }) readonly reason!: string | null;
  @Moment({ description: 'When it was put in the queue' }) readonly createdAt!: string;
  @Moment({ description: 'When something last happened to it' }) readonly updatedAt!: string;
}

export class Queue {
  @ListOf(() => QueueItem, { max: 200, description: 'Work on visible documents, what was last touched first' })
  readonly items!: readonly QueueItem[];
  @Int({ description: 'Items that match' }) readonly total!: number;
}

export class OrphansRequest {
  @Int({ min: 1, max: 200, default: 20, description: 'Most items to return' }) readonly limit!: number;
}

export class RunsRequest {
  @Int({ min: 1, max: 100, default: 10, description: 'Most runs to return' }) readonly limit!: number;
}

/** One scan of one location, with the work that follows from it. */
export class Run {
  @Int({ min: 1, description: 'Number of the run within the group' }) readonly run!: number;
  @Code({ description: 'Location that was scanned' }) readonly locationCode!: string;
  @OneOf(runStatus, { description: 'State of the run' }) readonly status!: RunStatus;
  @Int({ description: 'Files that are documents' }) readonly seen!: number;
  @Int({ description: 'Documents that were new' }) readonly added!: number;
  @Int({ description: 'Documents whose content had changed' }) readonly changed!: number;
  @Int({ description: 'Documents whose file was gone' }) readonly missing!: number;
  @Int({ description: 'Entries that were left out' }) readonly ignored!: number;
  @Int({ description: 'Documents of the run that still have work waiting' }) readonly waiting!: number;
  @Text({ max: 500, nullable: true, description: 'What the scan did not believe, or why it ended early' })
  readonly notice!: string | null;
  @Moment({ description: 'When it began' }) readonly startedAt!: string;
  @Moment({ nullable: true, description: 'When the scan was over' }) readonly scannedAt!: string | null;
}

export class Runs {
  @ListOf(() => Run, { max: 100, description: 'Runs over visible locations, the latest first' })
  readonly runs!: readonly Run[];
}

export class RunReference {
  @Int({ min: 1, max: 2_147_483_647, description: 'Number of the run within the group' }) readonly run!: number;
}

export class LocationToScan {
  @Code({ description: 'Visible location that is the root of its tree' }) readonly locationCode!: string;
}

export class TouchedWork {
  @Int({ min: 1, description: 'Number of the run' }) readonly run!: number;
  @Int({ description: 'Documents that it concerned' }) readonly documents!: number;
}

const readers = { owner: 'ingestion', effect: 'read', scope: 'user', callers: ['gateway', 'operations'] } as const;
const writers = { owner: 'ingestion', effect: 'write', scope: 'user', callers: ['operations'] } as const;

export const listQueue = call({ ...readers, code: 'queue.list', input: QueueRequest, output: Queue });
/**
 * Work on visible documents that nobody does: it could begin, and for five minutes it has had neither a worker nor a
 * bell. The ringer of the service rings for it, so that an item which stays here says that nobody listens.
 */
export const listOrphans = call({ ...readers, code: 'queue.list_orphans', input: OrphansRequest, output: Queue });
export const listRuns = call({ ...readers, code: 'pipeline_runs.list', input: RunsRequest, output: Runs });

export class RunQueueRequest extends RunReference {
  @OneOf(queueStatus, { optional: true, description: 'Only work in this state' }) readonly status?: QueueStatus;
  @Int({ min: 1, max: 200, default: 20, description: 'Most items to return' }) readonly limit!: number;
}

/** The work of one kind, counted by state. */
export class ProcessSummary {
  @OneOf(pipelineProcess, { description: 'What is done' }) readonly process!: PipelineProcess;
  @Int({ description: 'Pieces that may begin now' }) readonly pending!: number;
  @Int({ description: 'Pieces that are worked on' }) readonly inProgress!: number;
  @Int({ description: 'Pieces that are tried again later' }) readonly waiting!: number;
  @Int({ description: 'Pieces that are done' }) readonly completed!: number;
  @Int({ description: 'Pieces that failed for good' }) readonly error!: number;
}

export class PipelineSummary {
  @ListOf(() => ProcessSummary, { max: 50, description: 'One entry a kind of work, in the order of the pipeline' })
  readonly processes!: readonly ProcessSummary[];
}

/** The work of one visible run. @throws NotFound */
export const listRunQueue = call({ ...readers, code: 'queue.list_run', input: RunQueueRequest, output: Queue });
/** All work on documents that the caller sees, by kind and state. */
export const summarisePipeline = call({
  ...readers,
  code: 'queue.pipeline_summary',
  input: Empty,
  output: PipelineSummary,
});

/** Puts a scan of a location in the queue; the run tells how far it is. */
export const startIngestionRun = call({
  ...writers,
  code: 'ingestion_runs.start',
  input: LocationToScan,
  output: RunReference,
});
/** Has the waiting work of a run, failed pieces included, begin now and before other work. */
export const advanceIngestionRun = call({
  ...writers,
  code: 'ingestion_runs.advance',
  input: RunReference,
  output: TouchedWork,
});
/** Counts the documents whose waiting work a cancellation would withdraw. */
export const previewCancellation = call({
  ...readers,
  code: 'ingestion_runs.preview_cancel',
  input: RunReference,
  output: TouchedWork,
});
/** Withdraws the waiting work of a run; its documents stay as they are until the next scan. */
export const cancelIngestionRun = call({
  ...writers,
  code: 'ingestion_runs.cancel',
  input: RunReference,
  output: TouchedWork,
});
