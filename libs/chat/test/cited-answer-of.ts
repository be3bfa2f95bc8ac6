import type { LanguageCode } from '@acervo/analysis';
import type { CitedAnswer } from '../src/answering/answer';
import { CitedSentences } from '../src/answering/cited-answer';
import type { Passage } from '../src/answering/passages';

/** What is kept of the whole text of a model. */
export const citedAnswerOf = (written: string, passages: readonly Passage[], language: LanguageCode): CitedAnswer => {
  const cited = new CitedSentences(passages, language);
  return { sentences: [...cited.add(written), ...cited.end()] };
};
