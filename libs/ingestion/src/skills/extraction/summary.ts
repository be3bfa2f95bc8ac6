import { bestSentences, isOfDocument } from '@acervo/analysis';
import type { StatementFinder } from './statement-draft';

const SELECTION = { count: 6, characters: 1_800 };

/** The whole sentences of the language of a text that best say what it is about. */
export const findSummary: StatementFinder = (text, language) =>
  bestSentences(text, language, {
    ...SELECTION,
    fits: (sentence, place) => sentence.length >= 40 && sentence.length <= 500 && isOfDocument(text, place, language),
  }).map(({ start, end }) => ({
    ...{ startAt: start, endAt: end, quote: text.slice(start, end) },
    ...{ value: null, label: null },
  }));
