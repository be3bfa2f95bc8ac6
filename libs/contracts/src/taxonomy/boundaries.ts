import { Choice, Int, ListOf, Text, TextList } from '../fields';
import { DocumentTypeReference } from './document-types';

/** Most rules, and most examples, of one type. */
export const MOST_RULES = 50;
export const MOST_EXAMPLES = 50;

export const ruleFields = ['NAME', 'PATH', 'TEXT', 'LANGUAGE'] as const;
export const ruleMatches = ['EQUALS', 'CONTAINS', 'GLOB', 'PATTERN'] as const;
export const ruleEffects = ['REQUIRES', 'EXCLUDES'] as const;

/** A document has the type only where every REQUIRES rule matches, and never where an EXCLUDES rule matches. */
export class BoundaryRuleItem {
  @Choice(ruleFields, { publicly: 'same', description: 'Part of the document that the rule reads' })
  readonly field!: (typeof ruleFields)[number];
  @Choice(ruleMatches, { publicly: 'same', description: 'How the value is compared; PATTERN is an RE2 pattern' })
  readonly match!: (typeof ruleMatches)[number];
  @Text({ min: 1, max: 2_000, description: 'Value, glob or pattern to compare with' }) readonly value!: string;
  @Choice(ruleEffects, { publicly: 'same', description: 'What a match means' })
  readonly effect!: (typeof ruleEffects)[number];
}

const INCLUDES = { max: 2_000, description: 'What documents of the type are about, in any language' } as const;
const EXCLUDES = { max: 2_000, description: 'What similar documents of other types are about' } as const;
const RULES = { max: MOST_RULES, description: 'Rules that decide before similarity does' } as const;

/** Changes of a boundary; absent fields stay, a given list replaces the whole list. */
export class BoundaryUpdate extends DocumentTypeReference {
  @Text({ ...INCLUDES, optional: true }) readonly includes?: string;
  @Text({ ...EXCLUDES, optional: true }) readonly excludes?: string;
  @ListOf(() => BoundaryRuleItem, { ...RULES, optional: true }) readonly rules?: readonly BoundaryRuleItem[];
  @TextList({
    names: 'document',
    max: MOST_EXAMPLES,
    length: 120,
    optional: true,
    description: 'Codes of visible documents that are examples; examples that the caller does not see stay',
  })
  readonly examples?: readonly string[];
}

/** Which documents belong to a type. */
export class BoundaryRecord extends DocumentTypeReference {
  @Text(INCLUDES) readonly includes!: string;
  @Text(EXCLUDES) readonly excludes!: string;
  @ListOf(() => BoundaryRuleItem, RULES) readonly rules!: readonly BoundaryRuleItem[];
  @TextList({ max: MOST_EXAMPLES, length: 120, description: 'Codes of the examples that the caller sees' })
  readonly examples!: readonly string[];
  @Int({ description: 'Examples that the caller does not see' }) readonly hiddenExamples!: number;
}
