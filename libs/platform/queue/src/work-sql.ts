import type { ServiceName } from '@acervo/contracts';
import type { Stage } from './stages';

/** The table of tasks of a service; only this library and the migrations of a service name it. */
export const taskTable = (service: ServiceName): string => `${service}.task`;

/** An open task waits or is leased; it is neither done nor failed. */
export const isOpen = (alias: string): string => `${alias}.status in ('WAITING', 'LEASED')`;

/** A column of the statement around a fragment, or one of its parameters. */
export type SqlOperand = `${string}.${string}` | `$${number}`;

/** One subject, an array of subjects, or a subquery that answers subjects. */
export type SubjectOperand = SqlOperand | { readonly any: SqlOperand } | { readonly in: string };

/** Which tasks a fragment is about. An operand names no column of an alias `t`: fragments use that alias. */
export interface TaskSelector {
  readonly group: SqlOperand;
  readonly subject?: SubjectOperand;
  readonly stages?: readonly Pick<Stage, 'name'>[];
  readonly generation?: SqlOperand;
  /** Tasks that wait for this reason are left out. */
  readonly exceptReason?: string;
}

/** The caller's names for the states of a task; a delayed task waits for its time. */
export interface TaskStateLabels {
  readonly waiting: string;
  readonly delayed: string;
  readonly leased: string;
  readonly done: string;
  readonly failed: string;
}

const stageCondition = (names: readonly string[]): string =>
  `t.stage in (${names.map((name) => `'${name}'`).join(', ')})`;

const subjectCondition = (subject: SubjectOperand): string => {
  if (typeof subject === 'string') return `t.subject_id = ${subject}`;
  return 'any' in subject ? `t.subject_id = any(${subject.any}::uuid[])` : `t.subject_id in (${subject.in})`;
};

const conditionOf = ({ group, subject, stages, generation, exceptReason }: TaskSelector): string =>
  [
    `t.group_id = ${group}`,
    ...(subject === undefined ? [] : [subjectCondition(subject)]),
    ...(stages === undefined ? [] : [stageCondition(stages.map(({ name }) => name))]),
    ...(generation === undefined ? [] : [`t.generation = ${generation}`]),
    ...(exceptReason === undefined ? [] : [`t.reason is distinct from '${exceptReason}'`]),
  ].join(' and ');

/**
 * Fragments about the tasks of a service, for larger statements of that service. Their text is constant, so a statement
 * built once is one prepared plan.
 */
export class WorkSql {
  private readonly table: string;

  constructor(service: ServiceName) {
    this.table = taskTable(service);
  }

  /** A condition: some selected task is open. */
  hasOpen(selector: TaskSelector): string {
    return `exists (select ${this.probe(selector)})`;
  }

  /** A condition: some selected task is open and has not failed so far. */
  hasUntried(selector: TaskSelector): string {
    return `exists (select ${this.probe(selector, ' and t.reason is null')})`;
  }

  /** A scalar: the number of selected tasks that are open. */
  countOpen(selector: TaskSelector): string {
    return `(select count(*)::int ${this.fromOpen(selector)})`;
  }

  /** An array: the generations of the selected tasks that are open. */
  openGenerations(selector: TaskSelector): string {
    return `array(select t.generation ${this.fromOpen(selector)})`;
  }

  /** A query of one row: the selected tasks that are open as `waiting`, those that failed as `failed`. */
  tally(selector: TaskSelector): string {
    return `select count(*) filter (where ${isOpen('t')})::int as waiting,
      count(*) filter (where t.status = 'FAILED')::int as failed from ${this.table} t where ${conditionOf(selector)}`;
  }

  /** The selected tasks that are open, as `t`. */
  fromOpen(selector: TaskSelector): string {
    return `from ${this.table} t where ${conditionOf(selector)} and ${isOpen('t')}`;
  }

  /** A join with the selected tasks that are open, as `t`. */
  joinOpen(selector: TaskSelector): string {
    return `${this.join(selector)} and ${isOpen('t')}`;
  }

  /** A join with the selected tasks, as `t`: `stage`, `attempts`, `reason`, `created_at` and `updated_at` are read of it. */
  join(selector: TaskSelector): string {
    return `join ${this.table} t on ${conditionOf(selector)}`;
  }

  /** A join with the tasks of each selected subject, as `t`: for few subjects of a group with many. */
  joinEach(selector: TaskSelector): string {
    return `cross join lateral (select * from ${this.table} t where ${conditionOf(selector)} offset 0) t`;
  }

  /**
   * Looks tasks up by the primary key where the selector names one subject. Before the engine has statistics, each plan
   * looks as cheap as any other, and a join of many subjects with all open tasks of the group is as likely: `offset 0`
   * keeps the lookup from becoming a join, `coalesce` keeps it off the index of open tasks.
   */
  private probe(selector: TaskSelector, further = ''): string {
    if (typeof selector.subject !== 'string') return this.fromOpen(selector) + further;
    return `from ${this.table} t where ${conditionOf(selector)} and coalesce(${isOpen('t')}, false)${further} offset 0`;
  }
}

/** A scalar beside a join: the state of its task in the labels of the caller. */
export const taskState = ({ waiting, delayed, leased, done, failed }: TaskStateLabels): string =>
  `case t.status when 'LEASED' then '${leased}' when 'DONE' then '${done}' when 'FAILED' then '${failed}'
  else case when t.not_before > now() then '${delayed}' else '${waiting}' end end`;

/** A condition beside a join: its task could begin or continue, and no worker has updated it for this many minutes. */
export const isStalled = (minutes: number): string =>
  `(t.status = 'WAITING' and greatest(t.not_before, t.updated_at) < now() - interval '${minutes} minutes'
  or t.status = 'LEASED' and t.leased_until < now() - interval '${minutes} minutes')`;
