import type { MessageCitation } from '@acervo/contracts';
import { type CitedAnswer, sourcesOf } from '../answering/answer';
import type { Passage } from '../answering/passages';

/** Characters of what one number quotes. */
const LONGEST_QUOTE = 8_000;

/** What an answer cites, by number, each with all that it quotes under this number. */
export const citationsOf = (answer: CitedAnswer, passages: readonly Passage[]): readonly MessageCitation[] => {
  const citations = answer.sentences.flatMap((sentence) => sentence.citations);
  return sourcesOf(answer, passages).map((source) => {
    const quotes = new Set(citations.filter(({ number }) => number === source.number).map(({ quote }) => quote));
    return { ...source, quote: [...quotes].join('\n').slice(0, LONGEST_QUOTE).toWellFormed() };
  });
};

/** The documents that a refusal looked at: it names them, so its reader must see them. */
export const lookedAt = (passages: readonly Passage[]): readonly MessageCitation[] =>
  [...new Map(passages.map((passage) => [passage.documentCode, passage])).values()].map(
    ({ documentCode, documentName, url }, place) => ({
      ...{ number: place + 1, documentCode, documentName, page: null, url, quote: '' },
    }),
  );
