import { Conflict, CrossesCalls, DomainError } from '@acervo/contracts';
import { MOST_WILDCARDS } from '../space-members/glob';

const refusals = {
  NO_CRITERION: 'The criteria name nothing that documents have in common; give at least one.',
  QUERY_NEEDS_AREA: 'A query finds what one user sees; it gathers the documents of an AREA only.',
  QUERY_MISSING: 'A similarity or a limit goes with a query; give one.',
  TOO_MANY_WILDCARDS: `A pattern has at most ${MOST_WILDCARDS} asterisks.`,
} as const;
export type CriteriaRefusal = keyof typeof refusals;

/** Criteria that no space accepts; the details name the field and the reason. */
@CrossesCalls
export class CriteriaRefused extends DomainError {
  readonly code = 'VALIDATION_ERROR';
  constructor(reason: CriteriaRefusal, field: string) {
    super(refusals[reason], { invalid_fields: [field], reason });
  }
}

const conflicts = {
  SHARED_ALREADY: 'The space is shared already.',
  REFRESH_RUNS: 'The documents of the space are being gathered; try again once it is no longer stale.',
} as const;
export type SpaceConflictReason = keyof typeof conflicts;

/** A change of a space that its present state refuses; the details contain a reason code. */
@CrossesCalls
export class SpaceConflict extends Conflict {
  constructor(reason: SpaceConflictReason) {
    super(conflicts[reason], { reason });
  }
}
