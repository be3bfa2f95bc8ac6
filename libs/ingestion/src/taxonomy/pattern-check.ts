import { RE2JS } from 're2js';
import { NamePattern } from '@acervo/files';
import type { BoundaryRule } from './taxonomy';
import { comparable } from './patterns/folded-text';
import { LARGEST_PATTERN, LONGEST_PATTERN } from './patterns/pattern';
import { estimatedSize } from './pattern-size';
import { PatternRefused, type PatternRefusal } from './taxonomy.errors';

/** The group of a pattern that is the value of an attribute. */
export const VALUE_GROUP = 'value';

export interface PatternUse {
  /** Wire name of the field that a refusal names. */
  readonly field: string;
  /** The pattern yields a value. */
  readonly hasValue: boolean;
}

/** Constructs of other engines, outside of escapes and classes. */
const withoutEscapes = (pattern: string): string => pattern.replace(/\\[^1-9k]/g, '');

const reasonOf = (pattern: string): PatternRefusal => {
  const bare = withoutEscapes(pattern);
  if (/\(\?(?:[=!>]|<[=!])/.test(bare)) return 'PATTERN_LOOKS_AROUND';
  return /\\(?:[1-9]|k)/.test(bare) ? 'PATTERN_REFERS_BACK' : 'PATTERN_INVALID';
};

const compiled = (pattern: string, field: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The message of the engine repeats the pattern.
    throw new PatternRefused(reasonOf(pattern), field);
  }
};

/** Checks a pattern before it is stored. @throws PatternRefused with the reason, for one that cannot be used. */
export const checkPattern = (pattern: string, { field, hasValue }: PatternUse): void => {
  if (pattern.trim() === '') throw new PatternRefused('VALUE_BLANK', field);
  if (pattern.length > LONGEST_PATTERN) throw new PatternRefused('PATTERN_TOO_LONG', field);
  // Before compiling, which takes time and memory by the size of the program.
  if (estimatedSize(pattern) > LARGEST_PATTERN) throw new PatternRefused('PATTERN_TOO_LARGE', field);
  const program = compiled(pattern, field);
  if (program.programSize() > LARGEST_PATTERN) throw new PatternRefused('PATTERN_TOO_LARGE', field);
  if (hasValue && !Object.hasOwn(program.namedGroups(), VALUE_GROUP))
    throw new PatternRefused('PATTERN_WITHOUT_VALUE', field);
};

/** Checks rules before they are stored or tried. @throws PatternRefused with the reason, for one that cannot be used. */
export const checkRules = (rules: readonly Pick<BoundaryRule, 'match' | 'value'>[], field: string): void => {
  for (const { match, value } of rules) {
    if (value.trim() === '') throw new PatternRefused('VALUE_BLANK', field);
    if (match === 'PATTERN') checkPattern(value, { field, hasValue: false });
    if (match === 'GLOB' && NamePattern.of(comparable(value)) === undefined)
      throw new PatternRefused('GLOB_UNCLOSED', field);
  }
};
