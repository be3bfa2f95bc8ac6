import { fold, type Range } from '@acervo/analysis';
import { quotable, readSentences } from './quotable';
import type { StatementDraft, StatementFinder } from './statement-draft';

const QUOTED = /["“«]([\p{L}\p{N}][^"“”«»\n]{0,78})["”»]/gu;
/** What follows the term where the sentence defines it. */
const DEFINES =
  /^,?\s{0,2}(?::|significa|significará|designa|se refiere a|se entiende|means|shall mean|refers to|is defined as|is\b|es\b|son\b)/iu;
/** What stands before the term where the sentence defines it. */
const DEFINED_AS =
  /(?:se entiende por|se entenderá por|se denomina|en adelante,?|en lo sucesivo,?|hereinafter,?|referred to as|\()\s?(?:el|la|los|las|the)?\s?$/iu;
const BEFORE = 40;

const isDefined = (text: string, sentence: Range, { start, end }: Range): boolean =>
  DEFINES.test(text.slice(end, Math.min(sentence.end, end + 40))) ||
  DEFINED_AS.test(text.slice(Math.max(sentence.start, start - BEFORE), start));

/** Each defined term once, with the sentence that defines it. */
export const findGlossary: StatementFinder = (text) => {
  const byTerm = new Map<string, StatementDraft>();
  for (const sentence of readSentences(text))
    for (const { index, 0: whole, 1: term = '' } of text.slice(sentence.start, sentence.end).matchAll(QUOTED)) {
      const place = { start: sentence.start + index, end: sentence.start + index + whole.length };
      if (!isDefined(text, sentence, place) || byTerm.has(fold(term))) continue;
      const { start, end } = quotable(text, sentence, place);
      const quote = text.slice(start, end);
      byTerm.set(fold(term), { ...{ startAt: start, endAt: end, quote }, value: term.trim(), label: null });
    }
  return [...byTerm.values()];
};
