import { Injectable } from '@nestjs/common';
import {
  deleteProcess,
  getProcess,
  InvalidMeaning,
  listProcesses,
  previewProcessDeletion,
  type Process,
  type ProcessDashboard,
  type ProcessDeleted,
  type ProcessEffect,
  type ProcessesOrdered,
  type ProcessList,
  type ProcessListRequest,
  type ProcessOrder,
  type ProcessReference,
  type ProcessUpdate,
  reorderProcesses,
  showProcessDashboard,
  updateProcess,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { selectAffected } from './affected';
import { DashboardStore } from './dashboard.store';
import { assertMayDelete } from './process-access';
import { changeOf, type CheckedChange } from './process-change';
import { ProcessRecords } from './process-records';
import { type ProcessPatch, type ProcessRow, ProcessStore } from './process.store';
import { changedState } from './process-state';
import { ProcessTaskStore } from './process-task.store';
import { References } from './references';
import { exchangedPlaces, writePlaces } from './slots';
import type { Person } from './person';
import { progressOf } from './task-progress';

/** Work that people follow from its start to its end. */
@Injectable()
export class ProcessesHandlers {
  constructor(
    private readonly database: Database,
    private readonly processes: ProcessStore,
    private readonly tasks: ProcessTaskStore,
    private readonly records: ProcessRecords,
    private readonly references: References,
    private readonly dashboards: DashboardStore,
  ) {}

  @Handles(listProcesses)
  async list(scope: Scope, request: ProcessListRequest): Promise<ProcessList> {
    const { page, limit } = request;
    const { rows, total } = await this.database.read(scope, async (tx) => ({
      rows: await this.processes.list(tx, scope, request),
      total: await this.processes.count(tx, scope, request),
    }));
    return { processes: await this.records.of(scope, rows), total, page, limit };
  }

  @Handles(getProcess)
  async get(scope: Scope, { processCode }: ProcessReference): Promise<Process> {
    const row = await this.database.read(scope, (tx) => this.processes.seen(tx, scope, processCode));
    return this.records.one(scope, row);
  }

  @Handles(showProcessDashboard)
  dashboard(scope: Scope): Promise<ProcessDashboard> {
    return this.database.read(scope, (tx) => this.dashboards.of(tx, scope));
  }

  /** Writes what is sent and what follows from it, on the state that the process has then: no field is lost. */
  @Handles(updateProcess)
  async update(scope: Scope, { processCode, ...change }: ProcessUpdate, context: WriteContext): Promise<Process> {
    const checked = changeOf(change);
    const assignedTo = await this.assignee(scope, processCode, change.assignedTo);
    const row = await context.write(async (tx) => {
      const present = await this.processes.lock(tx, scope, processCode);
      await this.processes.change(tx, processCode, await this.patchOf(tx, present, checked, assignedTo));
      return this.processes.find(tx, processCode);
    });
    if (row === undefined) throw new Error('A process was changed and is missing.');
    // What the caller assigned to another user may be out of sight now.
    return this.records.one(scope, row);
  }

  /** The person whom a process is assigned to, who reaches its entity. Looked up outside of transactions. */
  private async assignee<N extends null | undefined>(scope: Scope, processCode: string, code: string | N) {
    if (code === null || code === undefined) return code;
    const { entityCode } = await this.database.read(scope, (tx) => this.processes.seen(tx, scope, processCode));
    return this.references.person(scope, code, entityCode);
  }

  private async patchOf(
    tx: Transaction,
    present: ProcessRow,
    { tasks = [], status, finishedAt, ...columns }: CheckedChange,
    assignedTo: Person | null | undefined,
  ): Promise<ProcessPatch> {
    const now = new Date();
    const progress = progressOf(await this.tasks.of(tx, [present.code]), tasks, now);
    await this.tasks.change(tx, present.code, progress.changed, now);
    const ends = progress.changed.length > 0 && progress.isOver && present.status !== 'CANCELADO';
    const asked = status ?? (ends && finishedAt === undefined ? 'TERMINADO' : undefined);
    const { turn } = progress;
    return {
      ...columns,
      assignedTo: assignedTo === undefined ? turn.assignedTo : assignedTo,
      dueAt: columns.dueAt === undefined ? turn.dueAt : columns.dueAt,
      ...changedState(present, { status: asked, finishedAt }, now),
    };
  }

  @Handles(reorderProcesses)
  reorder(scope: Scope, { processCodes }: ProcessOrder, context: WriteContext): Promise<ProcessesOrdered> {
    if (processCodes.length === 0) throw new InvalidMeaning(['process_codes']);
    return context.write(async (tx) => {
      const places = await this.processes.lockPlaces(tx, scope, processCodes);
      const moved = exchangedPlaces(processCodes, places, 'process_codes');
      await writePlaces(tx, 'process', moved);
      return { moved: moved.length };
    });
  }

  @Handles(previewProcessDeletion)
  previewDeletion(scope: Scope, { processCode }: ProcessReference): Promise<ProcessEffect> {
    return this.database.read(scope, async (tx) => {
      assertMayDelete(scope, await this.processes.find(tx, processCode));
      return { processCode, ...(await countSelected(tx, selectAffected(tx, processCode))) };
    });
  }

  @Handles(deleteProcess)
  delete(scope: Scope, { processCode }: ProcessReference, context: WriteContext): Promise<ProcessDeleted> {
    return context.write(async (tx) => {
      assertMayDelete(scope, await this.processes.lock(tx, scope, processCode));
      await this.processes.delete(tx, processCode);
      return { processCode, deleted: true };
    });
  }
}
