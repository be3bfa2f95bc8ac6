import { type AnswerSentence, type Citation, numbered, type SentenceDraft } from './answer';
import type { Source } from './sources';

const draftOf = ({ text, citations }: AnswerSentence): SentenceDraft => ({
  text,
  citations: citations.map(({ number: _, ...citation }) => citation),
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
  sources: readonly Source[],
): readonly AnswerSentence[] => {
  const quoted = written.flatMap(({ citations }) => citations);
  const further = others.filter(
    ({ citations }) => !citations.some((citation) => quoted.some((each) => overlaps(each, citation))),
  );
  return numbered([...written, ...further].map(draftOf), sources).slice(written.length);
};
