import type { Range } from '@acervo/analysis';
import { readDate } from '../../classification/features/dates';
import { quotable, readSentences } from './quotable';
import type { StatementDraft, StatementFinder } from './statement-draft';

/** Where a notation of a date may begin: a number, or a word. */
const BEGINNINGS = /[\p{L}\p{N}]+/gu;
/** Digits and marks before a number: the middle of an identifier or of another number. */
const INSIDE = /[\p{N}./-]$/u;

/** The dates of a sentence, by their place. */
export const datesIn = (text: string, { start, end }: Range): { value: string; place: Range }[] => {
  const found: { value: string; place: Range }[] = [];
  let from = start;
  for (const { index, 0: word } of text.slice(start, end).matchAll(BEGINNINGS)) {
    const at = start + index;
    const isNumber = /^\p{N}/u.test(word);
    if (at < from || (isNumber && INSIDE.test(text.slice(Math.max(start, at - 1), at)))) continue;
    const date = readDate(text, at, null);
    if (date === undefined || date.end > end) continue;
    found.push({ value: date.value, place: { start: at, end: date.end } });
    from = date.end;
  }
  return found;
};

/** Each date once, with the first sentence that states it. */
export const findKeyDates: StatementFinder = (text) => {
  const byDate = new Map<string, StatementDraft>();
  for (const sentence of readSentences(text))
    for (const { value, place } of datesIn(text, sentence)) {
      const { start, end } = quotable(text, sentence, place);
      const draft = { startAt: start, endAt: end, quote: text.slice(start, end), value, label: null };
      if (!byDate.has(value)) byDate.set(value, draft);
    }
  return [...byDate.values()];
};
