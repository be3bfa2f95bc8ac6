import type { ValueKind } from '../taxonomy/taxonomy';

/** What classification reads of a document. Positions count UTF-16 units of the extracted text. */
export interface ClassifiableDocument {
  readonly documentId: string;
  readonly entityCode: string;
  readonly name: string;
  readonly path: string;
  /** `es`, `en` …; null where it was not recognised. */
  readonly language: string | null;
  readonly title: string | null;
  readonly text: string;
  /** Where each page begins in the text; empty for sources without pages. */
  readonly pageStarts: readonly number[];
}

/** A range of the extracted text, to the letter. */
export interface Evidence {
  readonly page: number | null;
  readonly startAt: number;
  readonly endAt: number;
  readonly quote: string;
}

/** Why a document has its type, or none. */
export interface TypeDecision {
  readonly typeCode: string | null;
  readonly source: 'RULE' | 'SIMILARITY' | 'MODEL' | null;
  /** From 0 to 1. */
  readonly score: number;
  /** Lead over the runner-up; equal to the score without one. */
  readonly margin: number;
  readonly runnerUp: string | null;
  /** Ranges of the text that speak for the type; empty where only its name or path does. */
  readonly evidence: readonly Evidence[];
}

export const NO_TYPE: TypeDecision = {
  typeCode: null,
  source: null,
  score: 0,
  margin: 0,
  runnerUp: null,
  evidence: [],
};

export interface FoundFeature extends Evidence {
  readonly categoryCode: string;
  readonly code: string;
  /** Canonical: ISO date, decimal number, `1234.50 EUR`, `true`; null for characteristics. */
  readonly value: string | null;
  readonly source: 'RULE' | 'MODEL';
  readonly confidence: number;
}

/** The type that a model chose among candidates, and what it quotes for it. */
export interface ModelChoice {
  readonly typeCode: string;
  readonly evidence: Evidence;
}

/** A feature that a model found, with the kind that its value had then. */
export interface ModelFeature extends FoundFeature {
  readonly valueKind: ValueKind | null;
}

/** What a model found in the text of a document. Rules come before it. */
export interface ModelFindings {
  readonly choice: ModelChoice | null;
  readonly features: readonly ModelFeature[];
}

export const NO_FINDINGS: ModelFindings = { choice: null, features: [] };
