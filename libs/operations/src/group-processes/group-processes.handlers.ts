import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  createGroupProcess,
  deleteGroupProcess,
  type GroupProcess,
  type GroupProcessChanged,
  type GroupProcessDeleted,
  type GroupProcessEffect,
  type GroupProcessList,
  type GroupProcessListRequest,
  type GroupProcessOrder,
  type GroupProcessReference,
  type GroupProcessUpdate,
  InvalidMeaning,
  listGroupProcesses,
  MOST_GROUP_PROCESSES,
  type NewGroupProcess,
  previewGroupProcessDeletion,
  reorderGroupProcesses,
  updateGroupProcess,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { References } from '../processes/references';
import { HandStart } from '../processes/hand-start';
import { ProcessConflict, ProcessRefused } from '../processes/processes.errors';
import { SchedulePlan } from '../processes/schedule.stage';
import { exchangedPlaces, writePlaces } from '../processes/slots';
import { selectAffected } from './affected';
import {
  type GroupProcessPatch,
  type GroupProcessRow,
  GroupProcessStore,
  type TriggerColumns,
} from './group-process.store';
import { triggerOf } from './triggers';

const recordOf = ({ createdAt, updatedAt, ...row }: GroupProcessRow): GroupProcess => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** What a group does again and again. */
@Injectable()
export class GroupProcessesHandlers {
  constructor(
    private readonly database: Database,
    private readonly definitions: GroupProcessStore,
    private readonly references: References,
    private readonly schedule: SchedulePlan,
    private readonly starts: HandStart,
  ) {}

  @Handles(listGroupProcesses)
  list(scope: Scope, { trigger, query }: GroupProcessListRequest): Promise<GroupProcessList> {
    return this.database.read(scope, async (tx) => ({
      processes: (await this.definitions.list(tx, trigger, query)).map(recordOf),
    }));
  }

  @Handles(createGroupProcess)
  async create(scope: Scope, draft: NewGroupProcess, context: WriteContext): Promise<GroupProcess> {
    const { processCode: code, name, description = '', category = null, priority = 'NORMAL', dueDays = null } = draft;
    const trigger = triggerOf(draft);
    await this.references.assertType(scope, draft.documentTypeCode);
    const assignee = (await this.references.person(scope, draft.defaultAssignee, null)) ?? null;
    return context.write(async (tx) => {
      if ((await this.definitions.count(tx)) >= MOST_GROUP_PROCESSES)
        throw new ProcessConflict('TOO_MANY', { most: MOST_GROUP_PROCESSES });
      await this.definitions.create(tx, { code, name, description, category, priority, assignee, dueDays, ...trigger });
      await this.plan(tx, trigger);
      return recordOf(await this.definitions.get(tx, code));
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing */
  @Handles(updateGroupProcess)
  async update(scope: Scope, request: GroupProcessUpdate, context: WriteContext): Promise<GroupProcessChanged> {
    const { processCode: code, start = false, defaultAssignee, ...change } = request;
    const isChange = Object.values({ ...change, defaultAssignee }).some((value) => value !== undefined);
    if (!isChange && !start) throw new InvalidMeaning(['name', 'description', 'start']);
    await this.references.assertType(scope, change.documentTypeCode);
    const assignee = await this.references.person(scope, defaultAssignee, null);
    return context.write(async (tx) => {
      const present = await this.definitions.lock(tx, code);
      const trigger = triggerOf(change, present);
      if (start && trigger.trigger !== 'A_MANO') throw new ProcessRefused('STARTED_BY_ITSELF', 'start');
      if (isChange) await this.change(tx, code, { ...change, assignee, trigger });
      const startedProcess = start ? await this.starts.start(tx, scope, code, randomUUID()) : null;
      return { ...recordOf(await this.definitions.get(tx, code)), startedProcess };
    });
  }

  @Handles(reorderGroupProcesses)
  reorder(_scope: Scope, { processCodes }: GroupProcessOrder, context: WriteContext): Promise<GroupProcessList> {
    if (processCodes.length === 0) throw new InvalidMeaning(['process_codes']);
    return context.write(async (tx) => {
      const places = await this.definitions.lockPlaces(tx, processCodes);
      await writePlaces(tx, 'group_process', exchangedPlaces(processCodes, places, 'process_codes'));
      return { processes: (await this.definitions.list(tx)).map(recordOf) };
    });
  }

  @Handles(previewGroupProcessDeletion)
  previewDeletion(scope: Scope, { processCode }: GroupProcessReference): Promise<GroupProcessEffect> {
    return this.database.read(scope, async (tx) => {
      await this.definitions.get(tx, processCode);
      return { processCode, ...(await countSelected(tx, selectAffected(tx, processCode))) };
    });
  }

  @Handles(deleteGroupProcess)
  delete(_scope: Scope, { processCode }: GroupProcessReference, context: WriteContext): Promise<GroupProcessDeleted> {
    return context.write(async (tx) => {
      await this.definitions.lock(tx, processCode);
      await this.definitions.delete(tx, processCode);
      return { processCode, deleted: true };
    });
  }

  private async change(
    tx: Transaction,
    code: string,
    patch: GroupProcessPatch & { trigger: TriggerColumns },
  ): Promise<void> {
    await this.definitions.change(tx, code, patch);
    await this.plan(tx, patch.trigger);
  }

  private async plan(tx: Transaction, { period }: TriggerColumns): Promise<void> {
    if (period !== null) await this.schedule.plan(tx);
  }
}
