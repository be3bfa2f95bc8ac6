import { fold } from '@acervo/analysis';
import { LONGEST_STATEMENT } from '@acervo/contracts';
import { textOf } from '../../classification/classify-job';
import { cpuJob } from '../../cpu/cpu';
import { citedStatements, type StoredResult } from '../citations';
import { datesIn } from '../extraction/key-dates';
import type { StatementDraft } from '../extraction/statement-draft';
import { composeSummary } from '../summaries/compose-summary';
import type { FoundStatement } from './found-statements';
import type { Slice } from './slices';
import { leadsOutside, Words } from './standing';

/** What a skill wants beside the quote: `value` is about it and must stand in the quote, or the statement is dropped. */
export type ValueKind = 'none' | 'optional' | 'words' | 'date';

/** What a model found in a slice. */
export interface SliceAnswer {
  readonly slice: Slice;
  readonly statements: readonly FoundStatement[];
}

/** Shorter words stand in almost any text. */
const SHORTEST_QUOTE = 4;
/** Characters of a quote that is looked up: one that is kept, and the gaps that its writer added. */
const MOST_WRITTEN = 2 * LONGEST_STATEMENT;

/** The value as the quote has it; undefined where the quote does not bear it out. */
const valueOf = (kind: ValueKind, quote: string, words: Words, value: string | null): string | null | undefined => {
  if (kind === 'none') return null;
  if (kind === 'optional') return words.standing(value);
  if (kind === 'words') return words.standing(value) ?? undefined;
  const dates = datesIn(quote, { start: 0, end: quote.length });
  return dates.find((date) => date.value === value?.trim())?.value;
};

const draftOf = (text: string, slice: Words, found: FoundStatement, kind: ValueKind): StatementDraft | undefined => {
  const place = found.quote.length > MOST_WRITTEN ? undefined : slice.placeOf(found.quote);
  if (place === undefined) return undefined;
  const quote = text.slice(place.start, place.end);
  const words = new Words(quote, { start: 0, end: quote.length });
  const value = valueOf(kind, quote, words, found.value);
  const isKept = quote.length >= SHORTEST_QUOTE && quote.length <= LONGEST_STATEMENT && !leadsOutside(quote);
  if (!isKept || value === undefined) return undefined;
  const label = kind === 'none' ? null : words.standing(found.label);
  return { startAt: place.start, endAt: place.end, quote, value, label };
};

/** What a statement is about: equal ones are one statement. */
const subjectOf = ({ startAt, endAt, value }: StatementDraft, kind: ValueKind): string =>
  kind === 'words' || kind === 'date' ? fold(value ?? '') : `${startAt}-${endAt}`;

/** The statements of answers that stand in a text, each subject once. The others are dropped and counted. */
export const citedAnswers = (
  extracted: Parameters<typeof citedStatements>[0],
  answers: readonly SliceAnswer[],
  kind: ValueKind,
): StoredResult => {
  const { text } = extracted;
  const found = answers.flatMap(({ slice, statements }) => {
    const words = new Words(text, slice);
    return statements.map((each) => draftOf(text, words, each, kind));
  });
  const standing = found.filter((draft) => draft !== undefined).toSorted((a, b) => a.startAt - b.startAt);
  const bySubject = new Map<string, StatementDraft>();
  for (const draft of standing) {
    const subject = subjectOf(draft, kind);
    if (!bySubject.has(subject)) bySubject.set(subject, draft);
  }
  const result = citedStatements(extracted, [...bySubject.values()]);
  const cited = { ...result, dropped: result.dropped + found.length - standing.length };
  return kind === 'none' ? { ...cited, summary: composeSummary(text, answers, cited) } : cited;
};

const LONGEST_MS = 45_000;

/** Checks the answers of a model against the extracted text. */
export const CITE_ANSWERS = cpuJob(
  'cite-answers',
  ({ text, answers, kind }: { text: Uint8Array; answers: readonly SliceAnswer[]; kind: ValueKind }): StoredResult =>
    citedAnswers(textOf(text), answers, kind),
  { deadlineMs: LONGEST_MS },
);
