import type { MessageCitation } from '@acervo/contracts';
import { type CitedAnswer, sourcesOf } from '../answering/answer';
import { passagesAmong, type Source } from '../answering/sources';
import type { AnswerBasis } from './answer-part';

/** Characters of what one number quotes. */
const LONGEST_QUOTE = 8_000;

/** Numbers of citations, at most. */
const MOST_CITATIONS = 99;

const quoteOf = (quotes: readonly string[]): string =>
  [...new Set(quotes)].join('\n').slice(0, LONGEST_QUOTE).toWellFormed();

/**
 * What an answer cites, by number, each with all that it quotes under this number. Documents that quoted records of a
 * result name follow under numbers of their own: the reader of the answer must see them too.
 */
const citationsOf = (answer: CitedAnswer, sources: readonly Source[]): readonly MessageCitation[] => {
  const citations = answer.sentences.flatMap((sentence) => sentence.citations);
  const named = sourcesOf(answer, sources);
  const cited = named.flatMap((source) => {
    if ('operation' in source) return [];
    const quotes = citations.filter(({ number }) => number === source.number).map(({ quote }) => quote);
    return [{ ...source, quote: quoteOf(quotes) }];
  });
  const citedCodes = new Set(cited.map(({ documentCode }) => documentCode));
  const documents = new Map(
    citations.flatMap(({ documents: all = [] }) => all).map((document) => [document.documentCode, document]),
  );
  const further = [...documents.values()].filter(({ documentCode }) => !citedCodes.has(documentCode));
  const last = named.at(-1)?.number ?? 0;
  const behind = further.map((document, place) => ({
    ...{ number: last + place + 1, ...document, page: null, quote: '' },
  }));
  return [...cited, ...behind];
};

/** What an answer rests on. */
export const basisOf = (answer: CitedAnswer, sources: readonly Source[]): AnswerBasis => {
  const operations = sourcesOf(answer, sources).flatMap((source) => ('operation' in source ? [source.operation] : []));
  return {
    citations: citationsOf(answer, sources),
    operations: [...new Set(operations)],
    statesRecords: answer.sentences.some(({ citations }) => citations.some((each) => each.statesRecords === true)),
  };
};

/** Whether an answer may be stored with its whole basis. */
export const isStorable = ({ citations, operations }: AnswerBasis): boolean =>
  citations.every(({ number }) => number <= MOST_CITATIONS) && operations.length <= MOST_CITATIONS;

/** The documents that a refusal looked at: it names them, so its reader must see them. */
export const lookedAt = (sources: readonly Source[]): readonly MessageCitation[] =>
  [...new Map(passagesAmong(sources).map((passage) => [passage.documentCode, passage])).values()]
    .slice(0, MOST_CITATIONS)
    .map(({ documentCode, documentName, url }, place) => ({
      ...{ number: place + 1, documentCode, documentName, page: null, url, quote: '' },
    }));
