import { Conflict, CrossesCalls, type ErrorDetails } from '@acervo/contracts';

const reasons = {
  CODE_TAKEN: 'The code is taken in this group; choose another one, or leave it out.',
  HAS_DEPENDENTS: 'Something still depends on this; the details count it. Remove or move it first.',
  LAST_ENTITY: 'A group keeps at least one entity.',
  PARENT_BELOW: 'An area is not moved below itself or below an area of its own branch.',
  TOO_DEEP: 'The tree of areas would become too deep.',
} as const;
export type ConflictReason = keyof typeof reasons;

/** A change of the organisation that the current state refuses; the details contain a reason code and counts. */
@CrossesCalls
export class OrganisationConflict extends Conflict {
  constructor(reason: ConflictReason, details: ErrorDetails = {}) {
    super(reasons[reason], { reason, ...details });
  }
}
