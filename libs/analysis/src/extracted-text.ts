import type { Range } from './sentences';

/** One page and the characters that stand on it. Pages count from 1; in a presentation they are its slides. */
export interface Page extends Range {
  readonly number: number;
}

/** A heading where it stands in the text. Level 1 is the highest. */
export interface Heading extends Range {
  readonly level: number;
  readonly title: string;
}

/** A table where it stands in the text: its rows follow each other, one range each, the header row not among them. */
export interface Table extends Range {
  /** Caption, or the name of the sheet. */
  readonly title: string | null;
  /** The row that names the columns, as it stands in the text; null if there is none. */
  readonly header: Range | null;
  readonly rows: readonly Range[];
}

/** What extraction found in a file. All ranges count UTF-16 code units of `text`. */
export interface ExtractedText {
  readonly text: string;
  /** Empty for a source without pages. */
  readonly pages: readonly Page[];
  /** In the order of the text. */
  readonly headings: readonly Heading[];
  /** In the order of the text, none inside another. */
  readonly tables: readonly Table[];
  readonly title: string | null;
  readonly author: string | null;
  /** Date of the last change by the metadata of the file, else of its creation: ISO 8601 in UTC. */
  readonly date: string | null;
  /** The language that the file declares, as a BCP 47 tag. */
  readonly language: string | null;
}

/** An extracted text without structure, with optional metadata. */
export const plainText = (text: string, metadata: Partial<Omit<ExtractedText, 'text'>> = {}): ExtractedText => ({
  text,
  pages: [],
  headings: [],
  tables: [],
  title: null,
  author: null,
  date: null,
  language: null,
  ...metadata,
});
