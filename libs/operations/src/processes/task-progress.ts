import { NotFound, type ProcessTaskChange } from '@acervo/contracts';
import type { ProcessTaskStatus } from '@acervo/public-mapping';
import type { Person } from './person';

const DAY_MS = 86_400_000;

/** What decides the turn of a task. Tasks come in their order. */
export interface TurnTask {
  readonly code: string;
  readonly status: ProcessTaskStatus;
  readonly assignee: Person | null;
  readonly days: number | null;
}

/** What the turn of a task brings to its process; absent fields stay. */
export interface Turn {
  readonly assignedTo?: Person;
  readonly dueAt?: Date;
}

/** A moment so many days after another one; undefined for null. */
export const inDays = (now: Date, days: number | null): Date | undefined =>
  days === null ? undefined : new Date(now.getTime() + days * DAY_MS);

/** What the turn of a task brings: its person, and the day that it is due. */
export const turnOf = ({ assignee, days }: Pick<TurnTask, 'assignee' | 'days'>, now: Date): Turn => {
  const dueAt = inDays(now, days);
  return { ...(assignee === null ? {} : { assignedTo: assignee }), ...(dueAt === undefined ? {} : { dueAt }) };
};

export interface Progress {
  /** The tasks that change, with their new states. */
  readonly changed: readonly ProcessTaskChange[];
  /** Whether nothing is left to be done. */
  readonly isOver: boolean;
  /** Empty where the turn stays with the same task. */
  readonly turn: Turn;
}

const next = <T extends Pick<TurnTask, 'status'>>(tasks: readonly T[]): T | undefined =>
  tasks.find(({ status }) => status === 'PENDIENTE');

/**
 * Tasks after some of them changed. The last change of a task counts.
 * @throws NotFound for a task that the process does not have
 */
export const progressOf = (tasks: readonly TurnTask[], changes: readonly ProcessTaskChange[], now: Date): Progress => {
  const asked = new Map(changes.map(({ code, status }) => [code, status]));
  const codes = new Set(tasks.map(({ code }) => code));
  if ([...asked.keys()].some((code) => !codes.has(code))) throw new NotFound();
  const after = tasks.map((task) => ({ ...task, status: asked.get(task.code) ?? task.status }));
  const [before, follows] = [next(tasks), next(after)];
  return {
    changed: after
      .filter(({ status }, at) => status !== tasks[at]?.status)
      .map(({ code, status }) => ({ code, status })),
    isOver: after.length > 0 && follows === undefined,
    turn: follows === undefined || follows.code === before?.code ? {} : turnOf(follows, now),
  };
};
