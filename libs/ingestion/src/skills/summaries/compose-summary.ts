import { isWholeSentence, summaryLength, withoutGaps } from '@acervo/analysis';
import type { StoredResult } from '../citations';
import type { SliceAnswer } from '../model/cite-answers';

/** The place of each quote in the answer that has it: the most important stands first. */
const ranksOf = (answers: readonly SliceAnswer[]): ReadonlyMap<string, number> => {
  const ranks = new Map<string, number>();
  for (const { statements } of answers)
    for (const [rank, { quote }] of statements.entries()) {
      const text = withoutGaps(quote);
      ranks.set(text, Math.min(rank, ranks.get(text) ?? rank));
    }
  return ranks;
};

/**
 * The summary of a text by statements of a model that stand in it: its whole sentences, in the order of the text, the
 * most important of each part before the others, as far as a summary may be long. Null where no statement is one.
 */
export const composeSummary = (
  text: string,
  answers: readonly SliceAnswer[],
  { statements }: Pick<StoredResult, 'statements'>,
): string | null => {
  const ranks = ranksOf(answers);
  const rankOf = (sentence: string): number => ranks.get(sentence) ?? Number.MAX_SAFE_INTEGER;
  const most = summaryLength(withoutGaps(text).length);
  const whole = statements.filter(({ citations: [place] }) => {
    return place !== undefined && isWholeSentence(text, { start: place.startAt, end: place.endAt });
  });
  const chosen = new Set<string>();
  let length = 0;
  for (const { text: sentence } of whole.toSorted((a, b) => rankOf(a.text) - rankOf(b.text))) {
    const size = sentence.length + (length === 0 ? 0 : 1);
    if (length + size > most || chosen.has(sentence)) continue;
    chosen.add(sentence);
    length += size;
  }
  return chosen.size === 0
    ? null
    : [...new Set(whole.map((each) => each.text).filter((each) => chosen.has(each)))].join(' ');
};
