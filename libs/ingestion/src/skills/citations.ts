import { type ExtractedText, withoutGaps } from '@acervo/analysis';
import { LONGEST_STATEMENT, MOST_STATEMENTS } from '@acervo/contracts';
import type { ModelFindings } from '../classification/classified';
import type { StatementDraft } from './extraction/statement-draft';

/** A statement as it is stored. The document of its citations is the one that has the row. */
export interface StoredStatement {
  readonly text: string;
  readonly value: string | null;
  readonly label: string | null;
  readonly citations: readonly {
    readonly page: number | null;
    readonly startAt: number;
    readonly endAt: number;
    readonly quote: string;
  }[];
}

export interface StoredResult {
  readonly statements: readonly StoredStatement[];
  readonly dropped: number;
  /** Absent in results of before it was counted. */
  readonly omitted?: number;
  /** What a model wrote as the summary of the document; null where no sentence of it may stand there. */
  readonly summary?: string | null;
  /** What a skill of the pipeline found; it has no statements. */
  readonly findings?: ModelFindings;
}

const LONGEST_LABEL = 200;

/** The last page that begins at a place or before it. */
const pageAt = ({ pages }: Pick<ExtractedText, 'pages'>, place: number): number | null =>
  pages.reduce<number | null>((found, { number, start }) => (start <= place ? number : found), null);

const stands = (text: string, { startAt, endAt, quote }: StatementDraft): boolean =>
  quote.trim() !== '' &&
  quote.length <= LONGEST_STATEMENT &&
  quote.isWellFormed() &&
  text.slice(startAt, endAt) === quote;

/**
 * Statements whose quotes stand in the text to the letter, in the order of the text. The others are dropped and counted,
 * whatever found them.
 */
export const citedStatements = (extracted: ExtractedText, drafts: readonly StatementDraft[]): StoredResult => {
  const { text } = extracted;
  const standing = drafts.filter((draft) => stands(text, draft));
  const statements = standing
    .toSorted((a, b) => a.startAt - b.startAt || a.endAt - b.endAt)
    .slice(0, MOST_STATEMENTS)
    .map(({ startAt, endAt, quote, value, label }) => ({
      text: withoutGaps(quote),
      value: value?.slice(0, LONGEST_STATEMENT).toWellFormed() ?? null,
      label: label?.slice(0, LONGEST_LABEL).toWellFormed() ?? null,
      citations: [{ page: pageAt(extracted, startAt), startAt, endAt, quote }],
    }));
  const [dropped, omitted] = [drafts.length - standing.length, standing.length - statements.length];
  return { statements, dropped, omitted };
};
