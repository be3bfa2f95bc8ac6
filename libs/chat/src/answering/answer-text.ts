import type { LanguageCode } from '@acervo/analysis';
import { type AnswerSentence, type AnswerSource, type CitedAnswer, sourcesOf } from './answer';
import { fixedSentences, type FixedSentences } from './fixed-sentences';
import { passagesAmong, type Source } from './sources';
import { safeName } from './safe-line';

/** Documents that a refusal names. */
const MOST_NAMES = 8;
const END = /[.!?…]["”»')]*$/u;
/** White space and brackets would end an address early, or begin markup. */
const NOT_IN_ADDRESS = /[\p{Cc}\s<>"[\]()]/gu;

const safeAddress = (url: string): string =>
  url
    .toWellFormed()
    .replace(NOT_IN_ADDRESS, (character) => `%${character.codePointAt(0)?.toString(16).padStart(2, '0') ?? ''}`);

/** A sentence with its marks before its end: `The rent is 850 euros [1].` */
export const markedSentence = ({ text, citations }: AnswerSentence): string => {
  const numbers = [...new Set(citations.map(({ number }) => number))].toSorted((a, b) => a - b);
  const marks = numbers.map((number) => `[${String(number)}]`).join('');
  const end = END.exec(text)?.[0] ?? '';
  return `${text.slice(0, text.length - end.length)} ${marks}${end}`;
};

const sourceLine = (
  source: AnswerSource,
  { page: pageWord, operation }: Pick<FixedSentences, 'page' | 'operation'>,
): string => {
  if ('operation' in source) return `[${String(source.number)}] ${operation} ${source.operation}`;
  const { number, documentCode, documentName, page, url } = source;
  const place = page === null ? '' : `, ${pageWord} ${String(page)}`;
  return `[${String(number)}] ${safeName(documentName, documentCode)}${place}: ${safeAddress(url)}`;
};

/** The names of the documents of passages, each once. */
export const documentNames = (sources: readonly Source[]): readonly string[] => [
  ...new Map(
    passagesAmong(sources).map(({ documentCode, documentName }) => [
      documentCode,
      safeName(documentName, documentCode),
    ]),
  ).values(),
];

/** An abstention: no mark, no link, and the names of the documents that were looked at. */
export const refusalText = (sources: readonly Source[], language: LanguageCode): string => {
  const { abstention, lookedAt, nothingFound } = fixedSentences(language);
  const names = documentNames(sources);
  if (names.length === 0) return `${abstention} ${nothingFound}`;
  return `${abstention} ${lookedAt} ${names.slice(0, MOST_NAMES).join('; ')}.`;
};

/**
 * The text of an answer: its sentences with their marks, a blank line, and a line for each source. One without
 * sentences is a refusal.
 * @param sources those that the answer was made from
 * @param notices paragraphs of the product behind the sentences; they stand alone where there are none
 */
export const answerText = (
  answer: CitedAnswer,
  sources: readonly Source[],
  language: LanguageCode,
  notices: readonly string[] = [],
): string => {
  const isAnswered = answer.sentences.length > 0;
  if (!isAnswered) return notices.length > 0 ? notices.join('\n\n') : refusalText(sources, language);
  const fixed = fixedSentences(language);
  const lines = sourcesOf(answer, sources).map((source) => sourceLine(source, fixed));
  const text = answer.sentences.map(markedSentence).join(' ');
  return [text, ...notices, [fixed.sources, ...lines].join('\n')].join('\n\n');
};

/** Characters of one part. */
const LONGEST_PART = 80;
const RUNS = /\s{1,60}|\S{1,60}/gu;

/** A text in parts for a stream, cut between words and never inside a character; together they are the text. */
export const textParts = (text: string, longest = LONGEST_PART): readonly string[] => {
  const parts: string[] = [];
  let [start, end] = [0, 0];
  for (const { index, 0: run } of text.matchAll(RUNS)) {
    if (index + run.length - start > longest && end > start) {
      parts.push(text.slice(start, end));
      start = end;
    }
    end = index + run.length;
  }
  return start < text.length ? [...parts, text.slice(start)] : parts;
};
