import { Conflict, CrossesCalls, DomainError, type ErrorDetails } from '@acervo/contracts';

const conflicts = {
  CODE_TAKEN: 'The code is taken; choose another one.',
  STATE_DOES_NOT_FOLLOW: 'A process in its state does not get this one; open it again first.',
  SUBJECT_IS_OPEN: 'Another open process is about the same; finish that one, or go on with it.',
  TOO_MANY: 'There are as many of these as there may be; delete some first.',
} as const;
export type ProcessConflictReason = keyof typeof conflicts;

/** A change that the current state refuses; the details contain a reason code. */
@CrossesCalls
export class ProcessConflict extends Conflict {
  constructor(reason: ProcessConflictReason, details: ErrorDetails = {}) {
    super(conflicts[reason], { reason, ...details });
  }
}

const refusals = {
  TYPE_MISSING: 'A definition that documents start names their type.',
  TYPE_WITHOUT_TRIGGER: 'Only a definition that documents start names their type.',
  PERIOD_MISSING: 'A definition that the calendar starts says how often.',
  PERIOD_WITHOUT_TRIGGER: 'Only a definition that the calendar starts says how often.',
  STARTED_BY_ITSELF: 'Documents or the calendar start this definition; it is not started by hand.',
  COST_PLACES: 'A cost has at most two places.',
  NAMED_TWICE: 'A list in an order names each of its codes once.',
} as const;
export type ProcessRefusal = keyof typeof refusals;

/** An input that no state accepts; the details name the field and the reason. */
@CrossesCalls
export class ProcessRefused extends DomainError {
  readonly code = 'VALIDATION_ERROR';
  constructor(reason: ProcessRefusal, field: string) {
    super(refusals[reason], { invalid_fields: [field], reason });
  }
}
