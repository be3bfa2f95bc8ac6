import { InvalidMeaning } from '@acervo/contracts';
import type { ProcessStatus } from '@acervo/public-mapping';
import { ProcessConflict } from './processes.errors';

/** The states that follow each state; one that stays follows itself. */
const FOLLOWING: Readonly<Record<ProcessStatus, readonly ProcessStatus[]>> = {
  ABIERTO: ['EN_CURSO', 'EN_ESPERA', 'TERMINADO', 'CANCELADO'],
  EN_CURSO: ['ABIERTO', 'EN_ESPERA', 'TERMINADO', 'CANCELADO'],
  EN_ESPERA: ['ABIERTO', 'EN_CURSO', 'TERMINADO', 'CANCELADO'],
  TERMINADO: ['ABIERTO', 'EN_CURSO'],
  CANCELADO: ['ABIERTO'],
};

/** States of work that is over. */
export const OVER: readonly ProcessStatus[] = ['TERMINADO', 'CANCELADO'];

/** The state of a process, and when it was finished: a moment where it is done, and only then. */
export interface ProcessState {
  readonly status: ProcessStatus;
  readonly finishedAt: Date | null;
}

/** A change of state; null opens a finished process again. */
export interface StateChange {
  readonly status?: ProcessStatus | undefined;
  readonly finishedAt?: Date | null | undefined;
}

const askedStatus = (current: ProcessStatus, { status, finishedAt }: StateChange): ProcessStatus => {
  if (status !== undefined) return status;
  if (finishedAt === undefined) return current;
  if (finishedAt !== null) return 'TERMINADO';
  return current === 'TERMINADO' ? 'ABIERTO' : current;
};

/**
 * The state after a change.
 * @throws InvalidMeaning for an end of a process that is not done, or none of one that is
 * @throws ProcessConflict for a state that does not follow the present one
 */
export const changedState = (current: ProcessState, change: StateChange, now: Date): ProcessState => {
  const status = askedStatus(current.status, change);
  const isDone = status === 'TERMINADO';
  if (change.finishedAt !== undefined && (change.finishedAt !== null) !== isDone)
    throw new InvalidMeaning(['status', 'finished_at']);
  if (status !== current.status && !FOLLOWING[current.status].includes(status))
    throw new ProcessConflict('STATE_DOES_NOT_FOLLOW');
  return { status, finishedAt: isDone ? (change.finishedAt ?? current.finishedAt ?? now) : null };
};
