import { Conflict, CrossesCalls, DomainError, type ErrorDetails } from '@acervo/contracts';

const conflicts = {
  CODE_TAKEN: 'The code is taken in this group; choose another one.',
  HAS_CHILDREN: 'There are types below this one; the details count them. Move or delete them first.',
  TOO_MANY: 'The group has as many of these as it may; delete some first.',
} as const;
export type TaxonomyConflictReason = keyof typeof conflicts;

/** A change of types or features that the current state refuses; the details contain a reason code and counts. */
@CrossesCalls
export class TaxonomyConflict extends Conflict {
  constructor(reason: TaxonomyConflictReason, details: ErrorDetails = {}) {
    super(conflicts[reason], { reason, ...details });
  }
}

const refusals = {
  CODE_WITH_COMMA: 'A code contains no comma, because lists of codes are separated by commas.',
  PARENT_BELOW: 'A type is not moved below itself or below a type of its own branch.',
  PARENT_OF_OTHER_ENTITY: 'A type below the type of an entity belongs to the same entity.',
  TOO_DEEP: 'The tree of types would become too deep.',
  VALUE_KIND: 'Only the features of an attribute have values; a characteristic is there or not.',
} as const;
export type TaxonomyRefusal = keyof typeof refusals;

/** An input that no state of the taxonomy accepts; the details name the field and the reason. */
@CrossesCalls
export class TaxonomyRefused extends DomainError {
  readonly code = 'VALIDATION_ERROR';
  constructor(reason: TaxonomyRefusal, field: string, details: ErrorDetails = {}) {
    super(refusals[reason], { invalid_fields: [field], reason, ...details });
  }
}

export const patternRefusals = {
  VALUE_BLANK: 'A rule compares with a value that is not blank.',
  GLOB_UNCLOSED: 'A glob closes each class that it opens, as in [a-z]*.',
  PATTERN_TOO_LONG: 'A pattern has at most 2,000 characters.',
  PATTERN_TOO_LARGE: 'The pattern repeats too much; use smaller counts, or * and +.',
  PATTERN_LOOKS_AROUND: 'RE2 has no look-ahead, look-behind or atomic groups; match the surroundings instead.',
  PATTERN_REFERS_BACK: 'RE2 has no references to earlier groups; match both places separately.',
  PATTERN_INVALID: 'The pattern is not valid in the syntax of RE2.',
  PATTERN_WITHOUT_VALUE: 'The features of an attribute have a value: name its group, as in (?<value>[0-9]+).',
} as const;
export type PatternRefusal = keyof typeof patternRefusals;

/** A pattern that cannot be used. The explanation is one of the sentences above, never a message of the engine. */
@CrossesCalls
export class PatternRefused extends DomainError {
  readonly code = 'VALIDATION_ERROR';
  constructor(reason: PatternRefusal, field: string) {
    super(patternRefusals[reason], { invalid_fields: [field], reason, explanation: patternRefusals[reason] });
  }
}
