import { type Languages, plainText } from '@acervo/analysis';
import { LONGEST_STATEMENT } from '@acervo/contracts';
import { cpuJob } from '../../cpu/cpu';
import { MOST_READ } from '../extraction/quotable';
import type { SliceAnswer } from '../model/cite-answers';
import { leadsOutside, Words } from '../model/standing';
import { assembled, type Candidate, candidatesOf, type Digest, digestOf, type DigestSource, keyOf } from './digest';
import type { ReduceJob } from './reduce-statements';

/** Characters of a quote that is looked up: one that is kept, and the gaps that its writer added. */
const MOST_WRITTEN = 2 * LONGEST_STATEMENT;
/** How much of a line a quote has to have. */
const LEAST_OF_LINE = 0.5;

/** The statements of documents as a model reads them: one a line, with an empty line between two documents. */
interface DigestText {
  readonly text: string;
  readonly lines: readonly { readonly start: number; readonly candidate: Candidate }[];
}

/** What a statement takes of the text: itself, and the gap to the next one. */
const sizeOf = ({ text }: Candidate): number => text.length + 2;

/** The first candidates that fit into what a model reads, each whole. */
const readable = (candidates: readonly Candidate[]): readonly Candidate[] => {
  let size = 0;
  const cut = candidates.findIndex((candidate) => (size += sizeOf(candidate)) > MOST_READ);
  return cut < 0 ? candidates : candidates.slice(0, cut);
};

/**
 * The first statements of each document, as many as fit into what a model reads; of the first documents, where not even
 * one of each fits.
 */
const fitting = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const seen = new Map<number, number>();
  const placed = candidates.map((candidate) => {
    const rank = seen.get(candidate.place) ?? 0;
    seen.set(candidate.place, rank + 1);
    return { candidate, rank };
  });
  const within = (most: number): readonly Candidate[] =>
    placed.filter(({ rank }) => rank < most).map(({ candidate }) => candidate);
  const fits = (some: readonly Candidate[]): boolean => readable(some).length === some.length;
  let most = Math.max(1, ...seen.values());
  while (most > 1 && !fits(within(most))) most -= 1;
  return readable(within(most));
};

const digestTextOf = (candidates: readonly Candidate[]): DigestText => {
  const lines: { start: number; candidate: Candidate }[] = [];
  let text = '';
  for (const candidate of fitting(candidates)) {
    const earlier = lines.at(-1)?.candidate.place;
    if (earlier !== undefined) text += earlier === candidate.place ? '\n' : '\n\n';
    lines.push({ start: text.length, candidate });
    text += candidate.text;
  }
  return { text, lines };
};

/** The statement that a quote has chosen; undefined where it stands in none, or leads out of the documents. */
const chosenBy = ({ lines }: DigestText, slice: Words, quote: string): Candidate | undefined => {
  const place = quote.length > MOST_WRITTEN ? undefined : slice.placeOf(quote);
  if (place === undefined) return undefined;
  const line = lines.findLast(({ start }) => start <= place.start);
  const size = line?.candidate.text.length ?? 0;
  const isOfLine = line !== undefined && place.end <= line.start + size;
  if (!isOfLine || place.end - place.start < size * LEAST_OF_LINE) return undefined;
  return leadsOutside(line.candidate.text) ? undefined : line.candidate;
};

/**
 * The digest of the statements that a model chose, the most important of each part first. Each is one of its document,
 * with its citations; other text is dropped and counted. Where the model chose none, those are chosen that share
 * most words with the others.
 */
export const answeredDigest = (
  sources: readonly DigestSource[],
  languages: Languages,
  answers: readonly SliceAnswer[],
): Digest => {
  const candidates = candidatesOf(sources, languages);
  const listed = digestTextOf(candidates);
  const found = answers.flatMap(({ slice, statements }) => {
    const words = new Words(listed.text, slice);
    return statements.map(({ quote }, rank) => ({ rank, candidate: chosenBy(listed, words, quote) }));
  });
  const standing = found.flatMap(({ rank, candidate }) => (candidate === undefined ? [] : [{ rank, candidate }]));
  const ranked = new Map(
    standing.toSorted((a, b) => a.rank - b.rank).map(({ candidate }) => [keyOf(candidate.text), candidate]),
  );
  const digest =
    ranked.size === 0 ? digestOf(sources, languages) : assembled(sources, candidates, [...ranked.values()]);
  return { ...digest, dropped: digest.dropped + found.length - standing.length };
};

const LONGEST_MS = 45_000;

/** What a model reads of the documents of a space, in the form of an extracted text. */
export const LIST_STATEMENTS = cpuJob(
  'list-statements',
  ({ sources, languages }: ReduceJob): Uint8Array =>
    Buffer.from(JSON.stringify(plainText(digestTextOf(candidatesOf(sources, languages)).text))),
  { deadlineMs: LONGEST_MS },
);

/** Checks the answers of a model against the statements of the documents. */
export const CHOOSE_STATEMENTS = cpuJob(
  'choose-statements',
  ({ sources, languages, answers }: ReduceJob & { readonly answers: readonly SliceAnswer[] }): Digest =>
    answeredDigest(sources, languages, answers),
  { deadlineMs: LONGEST_MS },
);
