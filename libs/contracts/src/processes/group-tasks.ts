import { roleCode } from '@acervo/public-mapping';
import { call } from '../calls';
import { Address, Code, Flag, Int, ListOf, Meaningful, Text, TextList } from '../fields';
import { operation } from '../operation';
import { GroupProcessReference } from './group-processes';

/** The most tasks of a definition. */
export const MOST_GROUP_TASKS = 100;

const NAME = { max: 200, description: 'Name' } as const;
const DESCRIPTION = { max: 4_000, description: 'What is to be done' } as const;
const ROLE = { names: 'role', publicly: roleCode, nullable: true } as const;
const DAYS = { min: 0, max: 3_650, nullable: true, description: 'Days from its turn until it is due' } as const;

export class GroupTaskReference extends GroupProcessReference {
  @Code({ names: 'group_task', description: 'Code of the task' }) readonly taskCode!: string;
}

/** A step of a definition. Processes have their tasks in this order. */
export class GroupTask extends GroupTaskReference {
  @Text(NAME) readonly name!: string;
  @Text(DESCRIPTION) readonly description!: string;
  @Int({ min: 1, description: 'Place among the tasks of the definition' }) readonly position!: number;
  @Code({ publicly: roleCode, nullable: true, description: 'Code of the role whose users do it' })
  readonly roleCode!: string | null;
  @Address({ nullable: true, description: 'Whom a process is assigned to when it is the turn of the task' })
  readonly assignee!: string | null;
  @Int(DAYS) readonly days!: number | null;
}

export class NewGroupTask extends GroupProcessReference {
  @Code({ names: 'new group_task', description: 'Code, unique in the definition' }) readonly taskCode!: string;
  @Meaningful({ ...NAME, min: 1 }) readonly name!: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Code({ ...ROLE, optional: true, description: 'Code of the role whose users do it' })
  readonly roleCode?: string | null;
  @Address({ names: 'user', optional: true, nullable: true, description: 'The person who does it' })
  readonly assignee?: string | null;
  @Int({ ...DAYS, optional: true }) readonly days?: number | null;
}

/** Changes of a task; absent fields stay. */
export class GroupTaskUpdate extends GroupTaskReference {
  @Meaningful({ ...NAME, min: 1, optional: true }) readonly name?: string;
  @Text({ ...DESCRIPTION, optional: true }) readonly description?: string;
  @Code({ ...ROLE, optional: true, description: 'Code of the role whose users do it' })
  readonly roleCode?: string | null;
  @Address({ names: 'user', optional: true, nullable: true, description: 'The person who does it' })
  readonly assignee?: string | null;
  @Int({ ...DAYS, optional: true }) readonly days?: number | null;
}

export class GroupTaskList {
  @ListOf(() => GroupTask, { max: MOST_GROUP_TASKS, description: 'Tasks by their place' })
  readonly tasks!: readonly GroupTask[];
}

/** The named tasks take each other’s places in this order; the others keep theirs. */
export class GroupTaskOrder extends GroupProcessReference {
  @TextList({ names: 'group_task', max: MOST_GROUP_TASKS, length: 120, description: 'Codes in their new order' })
  readonly taskCodes!: readonly string[];
}

/** The effects of deleting a task. Processes that began with it keep it. */
export class GroupTaskEffect extends GroupTaskReference {
  @Int({ description: 'Processes in which the task is still to be done; they keep it' })
  readonly pendingProcesses!: number;
}

export class GroupTaskDeleted extends GroupTaskReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

const administered = {
  owner: 'operations',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_GROUP_TASKS'],
  reach: 'group',
} as const;

export const listGroupTasks = operation({
  ...administered,
  code: 'group_tasks.list',
  kind: 'read',
  summary: 'List the tasks of a definition in their order.',
  input: GroupProcessReference,
  output: GroupTaskList,
});
/** @throws ProcessConflict for a code that is taken. */
export const createGroupTask = operation({
  ...administered,
  code: 'group_tasks.create',
  kind: 'write',
  summary: 'Add a task to a definition, as its last one.',
  input: NewGroupTask,
  output: GroupTask,
});
export const updateGroupTask = operation({
  ...administered,
  code: 'group_tasks.update',
  kind: 'write',
  summary: 'Change a task of a definition; processes keep the one that they began with.',
  input: GroupTaskUpdate,
  output: GroupTask,
});
export const reorderGroupTasks = operation({
  ...administered,
  code: 'group_tasks.reorder',
  kind: 'write',
  summary: 'Order the tasks of a definition.',
  input: GroupTaskOrder,
  output: GroupTaskList,
});
/** Counts the processes that keep the task, by the query of the deletion. */
export const previewGroupTaskDeletion = call({
  ...{ owner: 'operations', scope: 'user', effect: 'read', callers: ['operations'], reach: 'group' },
  code: 'group_tasks.preview_delete',
  input: GroupTaskReference,
  output: GroupTaskEffect,
});
export const deleteGroupTask = operation({
  ...administered,
  code: 'group_tasks.delete',
  kind: 'write_confirm',
  summary: 'Delete a task of a definition; processes that began with it keep it.',
  preview: previewGroupTaskDeletion,
  input: GroupTaskReference,
  output: GroupTaskDeleted,
});
