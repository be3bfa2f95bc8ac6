import { type AnswerSentence, type Citation, numbered, type SentenceDraft } from './answer';
import type { Passage } from './passages';

const draftOf = ({ text, citations }: AnswerSentence): SentenceDraft => ({
  text,
  citations: citations.map(({ passage, quote, start, end }) => ({ passage, quote, start, end })),
});

const overlaps = (one: Citation, other: Citation): boolean =>
  one.passage === other.passage && one.start < other.end && other.start < one.end;

/**
 * Sentences that go on with an answer, numbered behind it: those of another answer from the same passages that quote
 * what it does not quote yet.
 */
export const continuation = (
  written: readonly AnswerSentence[],
  others: readonly AnswerSentence[],
  passages: readonly Passage[],
): readonly AnswerSentence[] => {
  const quoted = written.flatMap(({ citations }) => citations);
  const further = others.filter(
    ({ citations }) => !citations.some((citation) => quoted.some((each) => overlaps(each, citation))),
  );
  return numbered([...written, ...further].map(draftOf), passages).slice(written.length);
};
