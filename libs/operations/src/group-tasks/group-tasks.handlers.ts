import { Injectable } from '@nestjs/common';
import {
  createGroupTask,
  deleteGroupTask,
  type GroupProcessReference,
  type GroupTask,
  type GroupTaskDeleted,
  type GroupTaskEffect,
  type GroupTaskList,
  type GroupTaskOrder,
  type GroupTaskReference,
  type GroupTaskUpdate,
  InvalidMeaning,
  listGroupTasks,
  MOST_GROUP_TASKS,
  type NewGroupTask,
  previewGroupTaskDeletion,
  reorderGroupTasks,
  updateGroupTask,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { GroupProcessStore } from '../group-processes/group-process.store';
import { References } from '../processes/references';
import { ProcessConflict } from '../processes/processes.errors';
import { exchangedPlaces } from '../processes/slots';
import { selectAffected } from './affected';
import { GroupTaskStore } from './group-task.store';

/** The steps of what a group does again and again. Each change locks the definition first. */
@Injectable()
export class GroupTasksHandlers {
  constructor(
    private readonly database: Database,
    private readonly definitions: GroupProcessStore,
    private readonly tasks: GroupTaskStore,
    private readonly references: References,
  ) {}

  @Handles(listGroupTasks)
  list(scope: Scope, { processCode }: GroupProcessReference): Promise<GroupTaskList> {
    return this.database.read(scope, async (tx) => {
      await this.definitions.get(tx, processCode);
      return { tasks: await this.tasks.list(tx, processCode) };
    });
  }

  @Handles(createGroupTask)
  async create(scope: Scope, draft: NewGroupTask, context: WriteContext): Promise<GroupTask> {
    const { processCode, taskCode: code, name, description = '', roleCode = null, days = null } = draft;
    const assignee = (await this.references.person(scope, draft.assignee, null)) ?? null;
    await this.references.assertRole(scope, roleCode);
    return context.write(async (tx) => {
      const { taskCount } = await this.definitions.lock(tx, processCode);
      if (taskCount >= MOST_GROUP_TASKS) throw new ProcessConflict('TOO_MANY', { most: MOST_GROUP_TASKS });
      await this.tasks.create(tx, processCode, { code, name, description, roleCode, assignee, days });
      await this.definitions.touch(tx, processCode);
      return this.tasks.get(tx, processCode, code);
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing */
  @Handles(updateGroupTask)
  async update(scope: Scope, request: GroupTaskUpdate, context: WriteContext): Promise<GroupTask> {
    const { processCode, taskCode, ...change } = request;
    if (Object.values(change).every((value) => value === undefined))
      throw new InvalidMeaning(['name', 'description', 'role_code', 'assignee', 'days']);
    const assignee = await this.references.person(scope, change.assignee, null);
    await this.references.assertRole(scope, change.roleCode);
    return context.write(async (tx) => {
      await this.definitions.lock(tx, processCode);
      await this.tasks.get(tx, processCode, taskCode);
      await this.tasks.change(tx, processCode, taskCode, { ...change, assignee });
      await this.definitions.touch(tx, processCode);
      return this.tasks.get(tx, processCode, taskCode);
    });
  }

  @Handles(reorderGroupTasks)
  reorder(_scope: Scope, { processCode, taskCodes }: GroupTaskOrder, context: WriteContext): Promise<GroupTaskList> {
    if (taskCodes.length === 0) throw new InvalidMeaning(['task_codes']);
    return context.write(async (tx) => {
      await this.definitions.lock(tx, processCode);
      const places = await this.tasks.places(tx, processCode, taskCodes);
      await this.tasks.place(tx, processCode, exchangedPlaces(taskCodes, places, 'task_codes'));
      await this.definitions.touch(tx, processCode);
      return { tasks: await this.tasks.list(tx, processCode) };
    });
  }

  @Handles(previewGroupTaskDeletion)
  previewDeletion(scope: Scope, { processCode, taskCode }: GroupTaskReference): Promise<GroupTaskEffect> {
    return this.database.read(scope, async (tx) => {
      await this.tasks.get(tx, processCode, taskCode);
      return { processCode, taskCode, ...(await countSelected(tx, selectAffected(tx, processCode, taskCode))) };
    });
  }

  @Handles(deleteGroupTask)
  delete(_scope: Scope, reference: GroupTaskReference, context: WriteContext): Promise<GroupTaskDeleted> {
    const { processCode, taskCode } = reference;
    return context.write(async (tx) => {
      await this.definitions.lock(tx, processCode);
      await this.tasks.get(tx, processCode, taskCode);
      await this.tasks.delete(tx, processCode, taskCode);
      await this.definitions.touch(tx, processCode);
      return { processCode, taskCode, deleted: true };
    });
  }
}
