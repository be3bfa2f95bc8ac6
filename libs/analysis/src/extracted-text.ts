import type { Range } from './sentences';

/** One page and the characters that stand on it. Pages count from 1. */
export interface Page extends Range {
  readonly number: number;
}

/** A heading where it stands in the text. Level 1 is the highest. */
export interface Heading extends Range {
  readonly level: number;
  readonly title: string;
}

/** What extraction found in a file. All ranges count UTF-16 code units of `text`. */
export interface ExtractedText {
  readonly text: string;
  /** Empty where the source has no pages. */
  readonly pages: readonly Page[];
  readonly headings: readonly Heading[];
  readonly title: string | null;
}
