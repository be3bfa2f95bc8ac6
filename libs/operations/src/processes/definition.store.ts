import { Injectable } from '@nestjs/common';
import type { StartableProcess } from '@acervo/contracts';
import type { ProcessPeriod, ProcessPriority, ProcessTrigger } from '@acervo/public-mapping';
import { onlyRow, type Transaction } from '@acervo/platform-database';
import { type Person, personOf } from './person';
import type { TurnTask } from './task-progress';

/** What a process of a definition begins with. */
export interface Definition {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
  readonly priority: ProcessPriority;
  readonly trigger: ProcessTrigger;
  readonly assignee: Person | null;
  readonly dueDays: number | null;
  /** Person and days of its first task. */
  readonly first: Pick<TurnTask, 'assignee' | 'days'> | null;
}

/** A definition that documents of a type start. */
export interface TypedDefinition extends Definition {
  readonly documentTypeCode: string;
}

/** A definition that the calendar starts. */
export interface ScheduledDefinition extends Definition {
  readonly period: ProcessPeriod;
  /** Since when the calendar starts it. */
  readonly scheduledFrom: Date;
}

interface DefinitionColumns extends Omit<Definition, 'assignee' | 'first'> {
  readonly assigneeId: string | null;
  readonly assigneeCode: string | null;
  readonly hasTask: boolean;
  readonly firstId: string | null;
  readonly firstCode: string | null;
  readonly days: number | null;
}

const definitionOf = <T extends DefinitionColumns>(row: T) => {
  const { assigneeId, assigneeCode, hasTask, firstId, firstCode, days, ...columns } = row;
  const first = hasTask ? { assignee: personOf(firstId, firstCode), days } : null;
  return { ...columns, assignee: personOf(assigneeId, assigneeCode), first };
};

const SELECT = `select d.code, d.name, d.description, d.category, d.priority, d.trigger_kind as trigger,
  d.assignee_id as "assigneeId", d.assignee as "assigneeCode", d.due_days as "dueDays", t.code is not null as "hasTask",
  t.assignee_id as "firstId", t.assignee as "firstCode", t.days, d.period, d.document_type_code as "documentTypeCode", d.scheduled_from as "scheduledFrom"
from operations.group_process d
left join lateral (
  select t.code, t.assignee_id, t.assignee, t.days from operations.group_task t
  where t.group_id = d.group_id and t.process_code = d.code order by t.position, t.code limit 1) t on true`;

/** Definitions as processes are started from them. */
@Injectable()
export class DefinitionStore {
  /** @throws NotFound */
  async get(tx: Transaction, code: string): Promise<Definition> {
    const sql = `${SELECT} where d.group_id = $1 and d.code = $2`;
    return definitionOf(onlyRow(await tx.query<DefinitionColumns>(sql, [tx.groupId, code])));
  }

  /** The definitions that documents of these types start. */
  async startedBy(tx: Transaction, typeCodes: readonly string[]): Promise<TypedDefinition[]> {
    const sql = `${SELECT} where d.group_id = $1 and d.document_type_code = any($2) order by d.code`;
    return (
      await tx.query<DefinitionColumns & Pick<TypedDefinition, 'documentTypeCode'>>(sql, [tx.groupId, typeCodes])
    ).map(definitionOf);
  }

  /** The definitions that people and agents start, by their place. */
  startable(tx: Transaction): Promise<StartableProcess[]> {
    return tx.query<StartableProcess>(
      `select code as "processCode", name, description from operations.group_process
       where group_id = $1 and trigger_kind = 'A_MANO' order by position, code`,
      [tx.groupId],
    );
  }

  /** The definitions that the calendar starts. */
  async scheduled(tx: Transaction): Promise<ScheduledDefinition[]> {
    const sql = `${SELECT} where d.group_id = $1 and d.period is not null order by d.code`;
    const rows = await tx.query<DefinitionColumns & Pick<ScheduledDefinition, 'period' | 'scheduledFrom'>>(sql, [
      tx.groupId,
    ]);
    return rows.map(definitionOf);
  }
}
