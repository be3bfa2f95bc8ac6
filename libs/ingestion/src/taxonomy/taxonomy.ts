/** Most types above a type, itself included. */
export const MAX_TYPE_DEPTH = 8;

/** What part of a document a rule reads. `TEXT` is the first 4 kB around a literal of the pattern. */
export type RuleField = 'NAME' | 'PATH' | 'TEXT' | 'LANGUAGE';
export type RuleMatch = 'EQUALS' | 'CONTAINS' | 'GLOB' | 'PATTERN';

/** A document enters a type only where every `REQUIRES` rule matches, and never where an `EXCLUDES` rule matches. */
export interface BoundaryRule {
  readonly field: RuleField;
  readonly match: RuleMatch;
  readonly value: string;
  readonly effect: 'REQUIRES' | 'EXCLUDES';
}

/** Which documents belong to a type. */
export interface Boundary {
  /** At most 2,000 characters each; empty says nothing. */
  readonly includes: string;
  readonly excludes: string;
  readonly rules: readonly BoundaryRule[];
  /** Ids of documents. */
  readonly examples: readonly string[];
}

export interface DocumentType {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly parentCode: string | null;
  /** The only entity whose documents may have the type; null for all of the group. */
  readonly entityCode: string | null;
  readonly boundary: Boundary;
}

export type ValueKind = 'TEXT' | 'NUMBER' | 'AMOUNT' | 'DATE' | 'BOOLEAN';

/** A category of features belongs to a type and to the types below it. */
export interface FeatureCategory {
  readonly code: string;
  readonly typeCode: string;
  readonly name: string;
  readonly description: string;
  /** The features of an attribute have a value; a characteristic is there or not. */
  readonly kind: 'ATTRIBUTE' | 'CHARACTERISTIC';
  /** Null for characteristics. */
  readonly valueKind: ValueKind | null;
}

/** How a feature is found: an RE2 pattern whose group `value` is its value, or phrases by language (`es`, `en`). */
export interface FeatureRule {
  readonly pattern: string | null;
  readonly phrases: Readonly<Record<string, readonly string[]>>;
}

export interface Feature {
  readonly categoryCode: string;
  readonly code: string;
  readonly name: string;
  readonly rule: FeatureRule;
  /** For a chat model, where there is one. */
  readonly prompt: string | null;
}

/** Whether a model is asked for a feature that no rule finds. */
export const isAsked = ({ prompt }: Pick<Feature, 'prompt'>): boolean => prompt !== null && prompt.trim() !== '';

/** All that a group says of its documents, at one version. */
export interface Taxonomy {
  readonly version: number;
  readonly types: readonly DocumentType[];
  readonly categories: readonly FeatureCategory[];
  readonly features: readonly Feature[];
}
