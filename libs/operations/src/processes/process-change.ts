import { InvalidMeaning, type ProcessUpdate } from '@acervo/contracts';
import type { ProcessPatch } from './process.store';
import type { StateChange } from './process-state';
import { ProcessRefused } from './processes.errors';

type Change = Omit<ProcessUpdate, 'processCode'>;

/** A change that has a meaning: its moments are read, and something changes. */
export interface CheckedChange
  extends Pick<ProcessPatch, 'priority' | 'name' | 'description' | 'comments' | 'dueAt' | 'cost'>, StateChange {
  readonly tasks?: ProcessUpdate['tasks'] | undefined;
}

const dateOf = (moment: string | null | undefined): Date | null | undefined =>
  moment === null || moment === undefined ? moment : new Date(moment);

const FIELDS = [
  'status',
  'priority',
  'name',
  'description',
  'comments',
  'assigned_to',
  'due_at',
  'finished_at',
  'cost',
];

/**
 * Reads a change.
 * @throws InvalidMeaning where nothing is sent; ProcessRefused for a cost with more than two places
 */
export const changeOf = (change: Change): CheckedChange => {
  const { assignedTo: _assignee, dueAt, finishedAt, ...rest } = change;
  if (Object.values(change).every((value) => value === undefined)) throw new InvalidMeaning(FIELDS);
  const { cost } = rest;
  if (cost !== null && cost !== undefined && Math.round(cost * 100) / 100 !== cost)
    throw new ProcessRefused('COST_PLACES', 'cost');
  return { ...rest, dueAt: dateOf(dueAt), finishedAt: dateOf(finishedAt) };
};
