import {
  processPeriod,
  type ProcessPeriod,
  processPriority,
  type ProcessPriority,
  processTrigger,
  type ProcessTrigger,
} from '@acervo/public-mapping';
import { call } from '../calls';
import { Address, Code, Flag, Int, ListOf, Meaningful, Moment, OneOf, Text, TextList } from '../fields';
import { operation } from '../operation';

/** The most definitions of a group. */
export const MOST_GROUP_PROCESSES = 200;

const NAME = { max: 200, description: 'Name' } as const;
const DESCRIPTION = { max: 4_000, description: 'What is to be done' } as const;
const CATEGORY = { max: 120, nullable: true, description: 'A word of the group that lists are filtered by' } as const;
const TYPE = { names: 'document_type', nullable: true } as const;
const DUE = { min: 0, max: 3_650, nullable: true, description: 'Days from the start until it is due' } as const;

export class GroupProcessReference {
  @Code({ names: 'group_process', description: 'Code of the definition' }) readonly processCode!: string;
}

/** What a group does again and again: a definition that processes are started from. */
export class GroupProcess extends GroupProcessReference {
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @Text(CATEGORY) readonly category!: string | null;
  @OneOf(processPriority, { description: 'Priority of its processes' }) readonly priority!: ProcessPriority;
  @Int({ min: 1, description: 'Place among the definitions of the group' }) readonly position!: number;
  @OneOf(processTrigger, { description: 'What starts its processes' }) readonly trigger!: ProcessTrigger;
  @Code({ nullable: true, description: 'The type, or one above it, of the documents that start it' })
  readonly documentTypeCode!: string | null;
  @OneOf(processPeriod, { nullable: true, description: 'How often the calendar starts it' })
  readonly period!: ProcessPeriod | null;
  @Address({ nullable: true, description: 'Whom its processes are assigned to' })
  readonly defaultAssignee!: string | null;
  @Int(DUE) readonly dueDays!: number | null;
  @Int({ description: 'Tasks of the definition' }) readonly taskCount!: number;
  @Int({ description: 'Processes of it that are not finished' }) readonly openProcesses!: number;
  @Int({ min: 1, description: 'Rises with each change; a process keeps what it began with' })
  readonly version!: number;
  @Moment({ description: 'When it was created' }) readonly createdAt!: string;
  @Moment({ description: 'When it was changed' }) readonly updatedAt!: string;
}

export class NewGroupProcess {
  @Code({ names: 'new group_process', description: 'Code, unique in the group' }) readonly processCode!: string;
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Text({ ...CATEGORY, optional: true }) readonly category?: string | null;
  @OneOf(processPriority, { optional: true, description: 'Priority of its processes; NORMAL without it' })
  readonly priority?: ProcessPriority;
  @OneOf(processTrigger, { optional: true, description: 'What starts its processes; NONE without it' })
  readonly trigger?: ProcessTrigger;
  @Code({ ...TYPE, optional: true, description: 'For DOCUMENT_CLASSIFIED: the type of the documents, or one above it' })
  readonly documentTypeCode?: string | null;
  @OneOf(processPeriod, { optional: true, nullable: true, description: 'For SCHEDULE: how often' })
  readonly period?: ProcessPeriod | null;
  @Address({ names: 'user', optional: true, nullable: true, description: 'Whom its processes are assigned to' })
  readonly defaultAssignee?: string | null;
  @Int({ ...DUE, optional: true }) readonly dueDays?: number | null;
}

/** Changes of a definition; absent fields stay. */
export class GroupProcessUpdate extends GroupProcessReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Text({ ...CATEGORY, optional: true }) readonly category?: string | null;
  @OneOf(processPriority, { optional: true, description: 'Priority of its later processes' })
  readonly priority?: ProcessPriority;
  @OneOf(processTrigger, { optional: true, description: 'What starts its processes' })
  readonly trigger?: ProcessTrigger;
  @Code({ ...TYPE, optional: true, description: 'For DOCUMENT_CLASSIFIED: the type of the documents, or one above it' })
  readonly documentTypeCode?: string | null;
  @OneOf(processPeriod, { optional: true, nullable: true, description: 'For SCHEDULE: how often' })
  readonly period?: ProcessPeriod | null;
  @Address({ names: 'user', optional: true, nullable: true, description: 'Whom its later processes are assigned to' })
  readonly defaultAssignee?: string | null;
  @Int({ ...DUE, optional: true }) readonly dueDays?: number | null;
  @Flag({ optional: true, description: 'Start a process of it now, where nothing else starts one' })
  readonly start?: boolean;
}

export class GroupProcessChanged extends GroupProcess {
  @Code({ nullable: true, description: 'The process that was started; null without one' })
  readonly startedProcess!: string | null;
}

export class GroupProcessListRequest {
  @OneOf(processTrigger, { optional: true, description: 'Only definitions with this trigger' })
  readonly trigger?: ProcessTrigger;
  @Text({ max: 200, optional: true, description: 'Part of a name, a code or a category' }) readonly query?: string;
}

export class GroupProcessList {
  @ListOf(() => GroupProcess, { max: MOST_GROUP_PROCESSES, description: 'Definitions by their place' })
  readonly processes!: readonly GroupProcess[];
}

/** The named definitions take each other’s places in this order; the others keep theirs. */
export class GroupProcessOrder {
  @TextList({ names: 'group_process', max: MOST_GROUP_PROCESSES, length: 120, description: 'Codes in their new order' })
  readonly processCodes!: readonly string[];
}

/** The effects of deleting a definition. Its processes go on with what they began with. */
export class GroupProcessEffect extends GroupProcessReference {
  @Int({ description: 'Tasks that are deleted with it' }) readonly tasks!: number;
  @Int({ description: 'Processes of it, which stay' }) readonly processes!: number;
}

export class GroupProcessDeleted extends GroupProcessReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

const administered = {
  owner: 'operations',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_GROUP_PROCESSES'],
  reach: 'group',
} as const;

export const listGroupProcesses = operation({
  ...administered,
  code: 'group_processes.list',
  kind: 'read',
  summary: 'List what the group does again and again: the definitions of its processes.',
  input: GroupProcessListRequest,
  output: GroupProcessList,
});
/** @throws ProcessConflict for a code that is taken; ProcessRefused for a trigger without its type or period. */
export const createGroupProcess = operation({
  ...administered,
  code: 'group_processes.create',
  kind: 'write',
  summary: 'Define a process of the group, and what starts it.',
  input: NewGroupProcess,
  output: GroupProcess,
});
/** @throws ProcessRefused for a trigger without its type or period, and for a start where something else starts it. */
export const updateGroupProcess = operation({
  ...administered,
  code: 'group_processes.update',
  kind: 'write',
  summary: 'Change a definition, or start a process of it; processes keep what they began with.',
  input: GroupProcessUpdate,
  output: GroupProcessChanged,
});
export const reorderGroupProcesses = operation({
  ...administered,
  code: 'group_processes.reorder',
  kind: 'write',
  summary: 'Order the definitions of the group.',
  input: GroupProcessOrder,
  output: GroupProcessList,
});
/** Counts what a deletion would delete and what would stay, by its own query. */
export const previewGroupProcessDeletion = call({
  ...{ owner: 'operations', scope: 'user', effect: 'read', callers: ['operations'], reach: 'group' },
  code: 'group_processes.preview_delete',
  input: GroupProcessReference,
  output: GroupProcessEffect,
});
export const deleteGroupProcess = operation({
  ...administered,
  code: 'group_processes.delete',
  kind: 'write_confirm',
  summary: 'Delete a definition with its tasks; its processes stay.',
  preview: previewGroupProcessDeletion,
  input: GroupProcessReference,
  output: GroupProcessDeleted,
});
