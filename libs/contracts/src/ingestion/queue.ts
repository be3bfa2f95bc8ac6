import {
  type PipelineProcess,
  pipelineProcess,
  type QueueStatus,
  queueStatus,
  type RunStatus,
  runStatus,
} from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Int, ListOf, Moment, OneOf, Text, Uuid } from '../fields';
import { operation } from '../operation';

export class QueueRequest {
  @OneOf(pipelineProcess, { optional: true, description: 'Only work of this kind' }) readonly process?: PipelineProcess;
  @OneOf(queueStatus, { optional: true, description: 'Only work in this state' }) readonly status?: QueueStatus;
  @Int({ min: 1, max: 200, default: 20, description: 'Most items to return' }) readonly limit!: number;
}

/** One step of one document, or of a run of a skill over a space. */
export class QueueItem {
  @Code({ nullable: true, description: 'Document; null for what a run over a space does with all of them' })
  readonly documentCode!: string | null;
  @Text({ max: 1024, nullable: true, description: 'Name of the document; null without one' })
  readonly documentName!: string | null;
  @OneOf(pipelineProcess, { description: 'What is done' }) readonly process!: PipelineProcess;
  @OneOf(queueStatus, { description: 'State of the work; WAITING is tried again later' }) readonly status!: QueueStatus;
  @Int({ description: 'Times that it was begun' }) readonly attempts!: number;
  @Text({ max: 500, nullable: true, description: 'Why it failed the last time; QUOTA while it waits for pages' })
  readonly reason!: string | null;
  @Uuid({ optional: true, description: 'The run of a skill; absent for other work' }) readonly runId?: string;
  @Code({ optional: true, description: 'The skill of the run' }) readonly skillCode?: string;
  @Int({ optional: true, nullable: true, min: 1, description: 'The space that a run of yours is over; else null' })
  readonly spaceId?: number | null;
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
  @Text({ max: 500, nullable: true, description: 'What the scan left unchanged, or why it ended early' })
  readonly notice!: string | null;
  @Moment({ description: 'When it began' }) readonly startedAt!: string;
  @Moment({ nullable: true, description: 'When the scan was over' }) readonly scannedAt!: string | null;
}

export class Runs {
  @ListOf(() => Run, { max: 100, description: 'Runs over visible locations, the latest first' })
  readonly runs!: readonly Run[];
}

export class RunReference {
  @Int({ names: 'run', min: 1, max: 2_147_483_647, description: 'Number of the run within the group' })
  readonly run!: number;
}

export class RootReference {
  @Code({ names: 'root', description: 'Visible location that is the root of its tree' }) readonly locationCode!: string;
}

export class TouchedWork {
  @Int({ min: 1, description: 'Number of the run' }) readonly run!: number;
  @Int({ description: 'Documents that it concerned' }) readonly documents!: number;
}

const readers = { owner: 'ingestion', effect: 'read', scope: 'user', callers: ['gateway', 'operations'] } as const;

export const listQueue = call({
  ...readers,
  callers: [...readers.callers, 'chat'],
  code: 'queue.list',
  input: QueueRequest,
  output: Queue,
});
const published = { owner: 'ingestion', profile: 'ADMINISTRADOR' } as const;

/**
 * Runnable work on visible documents that has had neither a worker nor a signal for five minutes. The task reconciler
 * of the service repeats its signal, so an item that stays here means that no worker listens.
 */
export const listOrphans = operation({
  ...published,
  code: 'queue.list_orphans',
  callers: ['gateway'],
  kind: 'read',
  screens: ['PROCESS_PIPELINE'],
  summary: 'List the work on visible documents that no worker has touched for five minutes.',
  input: OrphansRequest,
  output: Queue,
});
export const listRuns = operation({
  ...published,
  code: 'pipeline_runs.list',
  callers: ['gateway', 'chat'],
  kind: 'read',
  screens: ['PROCESS_DOCUMENTS', 'PROCESS_PIPELINE'],
  summary: 'List the runs over visible locations, the latest first.',
  input: RunsRequest,
  output: Runs,
});

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

/** @throws NotFound */
export const listRunQueue = operation({
  ...published,
  code: 'queue.list_run',
  callers: ['gateway'],
  kind: 'read',
  screens: ['PROCESS_DOCUMENTS'],
  summary: 'List the work of one run.',
  input: RunQueueRequest,
  output: Queue,
});
export const summarisePipeline = operation({
  ...published,
  code: 'queue.pipeline_summary',
  callers: ['gateway'],
  kind: 'read',
  screens: ['DOCS_DASHBOARD', 'PROCESS_PIPELINE'],
  summary: 'Count the work on visible documents by kind and state.',
  input: Empty,
  output: PipelineSummary,
});

/** Enqueues a scan of a location; the run reports the progress. */
export const startIngestionRun = operation({
  ...published,
  code: 'ingestion_runs.start',
  kind: 'write',
  screens: ['PROCESS_PIPELINE'],
  summary: 'Scan a location and work on what it finds.',
  input: RootReference,
  output: RunReference,
});
export const advanceIngestionRun = operation({
  ...published,
  code: 'ingestion_runs.advance',
  kind: 'write',
  screens: ['PROCESS_PIPELINE'],
  summary: 'Work on what waits of a run now, failed pieces included.',
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
export const cancelIngestionRun = operation({
  ...published,
  code: 'ingestion_runs.cancel',
  kind: 'write_confirm',
  screens: ['PROCESS_PIPELINE'],
  summary: 'Withdraw the waiting work of a run; its documents stay as they are until the next scan.',
  preview: previewCancellation,
  input: RunReference,
  output: TouchedWork,
});

/** Why a run waits for its chat model. */
export const modelWaitReasons = ['QUOTA', 'KEY', 'UNREACHABLE', 'REFUSED'] as const;
export type ModelWaitReason = (typeof modelWaitReasons)[number];

export class LlmAlertsRequest {
  @Code({ names: 'skill', optional: true, description: 'Only runs of this skill' }) readonly skillCode?: string;
  @Choice(modelWaitReasons, {
    publicly: 'same',
    optional: true,
    description: 'Only runs that wait for this: used-up quota, refused key, no answer, refused request',
  })
  readonly reason?: ModelWaitReason;
}

export class ResolvedLlmAlerts {
  @Int({ description: 'Runs that are tried now' }) readonly resumed!: number;
  @Int({ description: 'Runs that still wait for a model: those that the request leaves out' })
  readonly remaining!: number;
}

/**
 * Tries runs of skills now that wait because their chat model failed, over visible documents. Repeated at once it
 * resumes nothing. @throws NotFound for an unknown skill
 */
export const resolveLlmAlerts = operation({
  code: 'queue.resolve_llm_alerts',
  owner: 'ingestion',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['PROCESS_PIPELINE'],
  summary: 'Resume runs of skills that wait because their chat model failed.',
  input: LlmAlertsRequest,
  output: ResolvedLlmAlerts,
});
