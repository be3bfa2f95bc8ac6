import {
  processPriority,
  type ProcessPriority,
  processStatus,
  type ProcessStatus,
  processTaskStatus,
  type ProcessTaskStatus,
  processType,
  type ProcessType,
  roleCode,
} from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Address, Code, Decimal, Flag, Int, ListOf, Meaningful, Moment, OneOf, Text, TextList } from '../fields';
import { operation } from '../operation';
import { GroupProcessReference, MOST_GROUP_PROCESSES } from './group-processes';
import { MOST_GROUP_TASKS } from './group-tasks';

/** The most processes that one request orders. */
const MOST_ORDERED = 200;
/** The largest cost; it has two places. */
const MOST_COST = 999_999_999.99;

const NAME = { max: 200, description: 'Title' } as const;
const DESCRIPTION = { max: 4_000, description: 'What is to be done' } as const;
const COMMENTS = { max: 10_000, nullable: true, description: 'What was said about it' } as const;
const COST = { min: 0, max: MOST_COST, nullable: true, description: 'What it cost, with two places' } as const;
const FINISHED = { nullable: true, description: 'When it was finished; it is DONE then, and only then' } as const;

export class ProcessReference {
  @Code({ names: 'process', description: 'Code of the process' }) readonly processCode!: string;
}

/** A step of one process. */
export class ProcessTask {
  @Code({ description: 'Code, unique in the process' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @OneOf(processTaskStatus, { description: 'State' }) readonly status!: ProcessTaskStatus;
  @Code({ publicly: roleCode, nullable: true, description: 'Code of the role whose users do it' })
  readonly roleCode!: string | null;
  @Address({ nullable: true, description: 'Whom the process is assigned to when it is the turn of the task' })
  readonly assignee!: string | null;
  @Moment({ nullable: true, description: 'When it was done or skipped' }) readonly finishedAt!: string | null;
}

/** A piece of work with a beginning and an end: what a group does with its documents, followed by people. */
export class Process {
  @Code({ description: 'Code, unique in the group' }) readonly code!: string;
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @OneOf(processType, { description: 'What it came from' }) readonly processType!: ProcessType;
  @Text({ max: 120, nullable: true, description: 'A word of the group that lists are filtered by' })
  readonly category!: string | null;
  @OneOf(processStatus, { description: 'State' }) readonly status!: ProcessStatus;
  @OneOf(processPriority, { description: 'How urgent it is' }) readonly priority!: ProcessPriority;
  @Text(COMMENTS) readonly comments!: string | null;
  @Address({ nullable: true, description: 'Who started it; null for the program' }) readonly createdBy!: string | null;
  @Address({ nullable: true, description: 'Who works on it; null for the administrators' })
  readonly assignedTo!: string | null;
  @Code({ nullable: true, description: 'The entity that it concerns; null for the whole group' })
  readonly entityCode!: string | null;
  @Code({ nullable: true, description: 'The document that it concerns, where the caller sees it' })
  readonly documentCode!: string | null;
  @Moment({ nullable: true, description: 'When it is due' }) readonly dueAt!: string | null;
  @Moment(FINISHED) readonly finishedAt!: string | null;
  @Decimal(COST) readonly cost!: number | null;
  @ListOf(() => ProcessTask, { max: MOST_GROUP_TASKS, description: 'Its tasks in their order' })
  readonly tasks!: readonly ProcessTask[];
  @Moment({ description: 'When it was started' }) readonly createdAt!: string;
  @Moment({ description: 'When it was changed' }) readonly updatedAt!: string;
}

export class ProcessListRequest {
  @OneOf(processStatus, { optional: true, description: 'Only processes in this state' })
  readonly status?: ProcessStatus;
  @OneOf(processType, { optional: true, description: 'Only processes that came from this' })
  readonly processType?: ProcessType;
  @Text({ max: 120, optional: true, description: 'Only processes of this category' })
  readonly category?: string;
  @Flag({ default: false, description: 'Only processes that the caller started or works on' })
  readonly mine!: boolean;
  @Flag({ default: false, description: 'Only processes that are neither finished nor cancelled' })
  readonly onlyOpen!: boolean;
  @Int({ min: 1, max: 200, default: 20, description: 'Processes per page' }) readonly limit!: number;
  @Int({ min: 1, max: 1_000_000, default: 1, description: 'Page, from 1' }) readonly page!: number;
}

export class ProcessList {
  @ListOf(() => Process, { max: 200, description: 'Processes: the most urgent first, of these the first due' })
  readonly processes!: readonly Process[];
  @Int({ description: 'Processes that match' }) readonly total!: number;
  @Int({ min: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, description: 'Processes per page' }) readonly limit!: number;
}

/** Changes of a process; absent fields stay, and null clears. */
export class ProcessChange {
  @OneOf(processStatus, { optional: true, description: 'State' }) readonly status?: ProcessStatus;
  @OneOf(processPriority, { optional: true, description: 'How urgent it is' }) readonly priority?: ProcessPriority;
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Text({ ...COMMENTS, optional: true }) readonly comments?: string | null;
  @Address({
    names: 'user',
    optional: true,
    nullable: true,
    description: 'Who works on it; null for the administrators',
  })
  readonly assignedTo?: string | null;
  @Moment({ optional: true, nullable: true, description: 'When it is due' }) readonly dueAt?: string | null;
  @Moment({ ...FINISHED, optional: true }) readonly finishedAt?: string | null;
  @Decimal({ ...COST, optional: true }) readonly cost?: number | null;
}

/** A task that is done, skipped or to be done again. */
export class ProcessTaskChange {
  @Code({ names: 'group_task', description: 'Code of the task' }) readonly code!: string;
  @OneOf(processTaskStatus, { description: 'State' }) readonly status!: ProcessTaskStatus;
}

export class ProcessUpdate extends ProcessChange {
  @Code({ names: 'process', description: 'Code of the process' }) readonly processCode!: string;
  @ListOf(() => ProcessTaskChange, {
    max: MOST_GROUP_TASKS,
    optional: true,
    description: 'Tasks that change. Assignee and due date follow from the next task; the last one finishes it',
  })
  readonly tasks?: readonly ProcessTaskChange[];
}

/** The named processes take each other’s places in this order; the others keep theirs. */
export class ProcessOrder {
  @TextList({ names: 'process', max: MOST_ORDERED, length: 120, description: 'Codes in their new order' })
  readonly processCodes!: readonly string[];
}

export class ProcessesOrdered {
  @Int({ description: 'Processes whose place changed' }) readonly moved!: number;
}

export class ProcessCount {
  @OneOf(processStatus, { description: 'State' }) readonly status!: ProcessStatus;
  @Int({ description: 'Processes in this state' }) readonly count!: number;
}

/** The work of the caller: the processes that they started or work on. */
export class ProcessDashboard {
  @ListOf(() => ProcessCount, { max: 5, description: 'One entry a state, zeros included' })
  readonly byStatus!: readonly ProcessCount[];
  @Int({ description: 'Open processes with a due date that is not over' }) readonly due!: number;
  @Int({ description: 'Open processes whose due date is over' }) readonly overdue!: number;
  @Int({ description: 'Open processes that are assigned to the caller' }) readonly assigned!: number;
}

/** The effects of deleting a process. */
export class ProcessEffect extends ProcessReference {
  @Int({ description: 'Tasks that are deleted with it' }) readonly tasks!: number;
  @Int({ description: 'Documents that it names; they stay' }) readonly documents!: number;
}

export class ProcessDeleted extends ProcessReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

const published = { owner: 'operations', profile: 'USUARIO', screens: ['PROFILE_PROCESS'] } as const;

export const listProcesses = operation({
  ...published,
  callers: ['gateway'],
  code: 'processes.list',
  kind: 'read',
  summary: 'List the processes that the caller sees, the most urgent first.',
  input: ProcessListRequest,
  output: ProcessList,
});
export const getProcess = operation({
  ...published,
  callers: ['gateway'],
  code: 'processes.get',
  kind: 'read',
  summary: 'Show a process with its tasks.',
  input: ProcessReference,
  output: Process,
});
export const showProcessDashboard = operation({
  ...published,
  code: 'processes.profile_dashboard',
  kind: 'read',
  summary: 'Count the processes of the caller by state, those that are due and those that are overdue.',
  input: Empty,
  output: ProcessDashboard,
});
/**
 * @throws InvalidMeaning where nothing changes; ProcessConflict for a state that does not follow; NotFound for an
 * assignee outside of the group or of the entity
 */
export const updateProcess = operation({
  ...published,
  callers: ['gateway'],
  code: 'processes.update',
  kind: 'write',
  summary: 'Change a process: its state, its tasks, who works on it and until when.',
  input: ProcessUpdate,
  output: Process,
});
export const reorderProcesses = operation({
  ...published,
  code: 'processes.reorder',
  kind: 'write',
  summary: 'Order processes that are as urgent as each other.',
  input: ProcessOrder,
  output: ProcessesOrdered,
});
/** Counts what a deletion would delete, by its own query. */
export const previewProcessDeletion = call({
  ...{ owner: 'operations', scope: 'user', effect: 'read', callers: ['operations'] },
  code: 'processes.preview_delete',
  input: ProcessReference,
  output: ProcessEffect,
});
/** @throws Forbidden for a process that the caller works on and did not start. */
export const deleteProcess = operation({
  ...published,
  code: 'processes.delete',
  kind: 'write_confirm',
  summary: 'Delete a process with its tasks; the document that it names stays.',
  preview: previewProcessDeletion,
  input: ProcessReference,
  output: ProcessDeleted,
});

/** A definition that is started by hand, and what its process concerns. */
export class ProcessStart extends GroupProcessReference {
  @Code({ names: 'document', optional: true, description: 'The document that it concerns' })
  readonly documentCode?: string;
}

/** Starts a process for the caller. @throws ProcessRefused where something else starts the definition */
export const startProcess = call({
  ...{ owner: 'operations', scope: 'user', effect: 'write', callers: ['chat'] },
  code: 'processes.start',
  input: ProcessStart,
  output: Process,
});

/** A definition that people and agents start. */
export class StartableProcess extends GroupProcessReference {
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: 4_000, description: 'What is to be done' }) readonly description!: string;
}

export class StartableProcesses {
  @ListOf(() => StartableProcess, { max: MOST_GROUP_PROCESSES, description: 'Definitions by their place' })
  readonly processes!: readonly StartableProcess[];
}

/** The definitions that nothing but a person or an agent starts. */
export const listStartableProcesses = call({
  ...{ owner: 'operations', scope: 'user', effect: 'read', callers: ['chat'] },
  code: 'processes.list_startable',
  input: Empty,
  output: StartableProcesses,
});
