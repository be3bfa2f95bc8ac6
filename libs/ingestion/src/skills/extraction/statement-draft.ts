import type { LanguageCode } from '@acervo/analysis';

/** A statement before its quote is checked: the range that it quotes, and what it is about. */
export interface StatementDraft {
  readonly startAt: number;
  readonly endAt: number;
  /** The text that should stand at the range. */
  readonly quote: string;
  readonly value: string | null;
  readonly label: string | null;
}

/** Finds statements in a text of one language. The quotes are copied, never composed. */
export type StatementFinder = (text: string, language: LanguageCode) => readonly StatementDraft[];
