import { bestSentences } from '@acervo/analysis';
import type { StatementFinder } from './statement-draft';

const SELECTION = { count: 6, characters: 1_800 };
const BEGINS = /^["“«¿¡(\p{Lu}\p{N}]/u;
const ENDS = /[.!?…]["”»)\]]*$/u;
/** Marks of Markdown and of tables. */
const MARKUP = /[|`]|\*\*|__|\]\(|^\s*(?:[-*+•]|#)/u;

/** A whole sentence of prose: no heading, no row of a table, no part of a sentence. */
const isWhole = (sentence: string): boolean =>
  sentence.length >= 40 &&
  sentence.length <= 500 &&
  BEGINS.test(sentence) &&
  ENDS.test(sentence) &&
  !MARKUP.test(sentence);

/** The whole sentences that best say what a text is about. */
export const findSummary: StatementFinder = (text, language) =>
  bestSentences(text, language, { ...SELECTION, fits: isWhole }).map(({ start, end }) => ({
    ...{ startAt: start, endAt: end, quote: text.slice(start, end) },
    ...{ value: null, label: null },
  }));
