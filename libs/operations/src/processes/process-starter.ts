import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { AssigneeCheckPlan } from './assignee-check.stage';
import type { Definition } from './definition.store';
import { type ProcessDraft, ProcessStore } from './process.store';
import { ProcessTaskStore } from './process-task.store';
import type { Person } from './person';
import { inDays, turnOf } from './task-progress';

/** Why a definition is started. */
export interface Start {
  /** What the process is about; a definition has one process for it. */
  readonly subject: string;
  readonly createdBy: Person | null;
  readonly entityCode: string | null;
  readonly documentCode: string | null;
}

/** Starts processes of definitions. */
@Injectable()
export class ProcessStarter {
  constructor(
    private readonly processes: ProcessStore,
    private readonly tasks: ProcessTaskStore,
    private readonly check: AssigneeCheckPlan,
  ) {}

  /**
   * Starts a process with the tasks that its definition has now: assigned to the person of the first task, else to that
   * of the definition, and due with it. Whether its people reach its entity is asked later: there is no call within a
   * transaction. Answers its code; undefined where the subject has one.
   */
  async start(tx: Transaction, definition: Definition, start: Start): Promise<string | undefined> {
    const draft = draftOf(definition, start, new Date());
    const code = await this.processes.start(tx, draft);
    if (code === undefined) return undefined;
    const namesPeople = (await this.tasks.copy(tx, definition.code, code)) || draft.assignedTo !== null;
    if (namesPeople && start.entityCode !== null) await this.check.plan(tx, randomUUID(), code);
    return code;
  }
}

const draftOf = (definition: Definition, start: Start, now: Date): ProcessDraft => {
  const { code, first, assignee, dueDays, trigger: _trigger, ...described } = definition;
  const turn = first === null ? {} : turnOf(first, now);
  return {
    ...described,
    ...start,
    type: 'GRUPO',
    subject: `${code}:${start.subject}`,
    definitionCode: code,
    assignedTo: turn.assignedTo ?? assignee,
    dueAt: turn.dueAt ?? inDays(now, dueDays) ?? null,
  };
};
