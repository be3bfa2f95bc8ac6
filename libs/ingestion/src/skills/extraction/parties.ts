import { fold, type Range } from '@acervo/analysis';
import { quotable, readSentences } from './quotable';
import type { StatementDraft, StatementFinder } from './statement-draft';

const WORD = /[^\s,;:()"“”«»]+/gu;
const CAPITAL = /^\p{Lu}/u;
/** What a company is, at the end of its name. */
const SUFFIXES = new Set(
  's.l s.l.u s.a s.a.u s.l.l s.coop s.c sl slu sa sau inc ltd llc llp plc gmbh ag corp limited corporation'.split(' '),
);
/** What comes before the name of a person. */
const TITLES = new Set('d d.ª d.a dª dña don doña sr sra mr mrs ms'.split(' '));
/** Words in the middle of a name. */
const CONNECTIVES = new Set('de del la las los y e i & of and the von van da do dos'.split(' '));
const MOST_WORDS = 7;
/** What a document calls a party, in parentheses or quotes after its name. */
const LABEL = /^[^.]{0,120}?\((?:en adelante|en lo sucesivo|hereinafter|hereafter|the)\b[^)]{0,60}\)/iu;
const LABEL_NAME = /["“«]?([\p{L} ]{2,40})["”»]?\)$/u;
const ARTICLE = /^(?:en adelante|en lo sucesivo|hereinafter|hereafter|referred to as|el|la|los|las|the)\s+/iu;

interface Word extends Range {
  readonly text: string;
}

const wordsOf = (text: string, { start, end }: Range): Word[] =>
  [...text.slice(start, end).matchAll(WORD)].map(({ index, 0: word }) => ({
    ...{ text: word, start: start + index },
    end: start + index + word.length,
  }));

const bare = (word: string): string => word.toLowerCase().replace(/\.$/, '');
const isSuffix = ({ text }: Word): boolean => CAPITAL.test(text) && SUFFIXES.has(bare(text));
const isTitle = ({ text }: Word): boolean => CAPITAL.test(text) && TITLES.has(bare(text));
/** Whether nothing but one space, or a comma and a space, stands between two words. */
const follows = (text: string, before: Word, after: Word): boolean =>
  /^,? $/.test(text.slice(before.end, after.start).replace(/\n/g, ' '));

/** The first word of a name that ends at a place. */
const beginOf = (text: string, words: readonly Word[], last: number): number => {
  let first = last;
  for (let at = last - 1; at >= 0 && last - at < MOST_WORDS; at -= 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word === undefined || next === undefined || !follows(text, word, next)) break;
    if (CAPITAL.test(word.text)) first = at;
    else if (!CONNECTIVES.has(word.text)) break;
  }
  return first;
};

/** The last word of a name that begins after a title. */
const endOf = (text: string, words: readonly Word[], title: number): number => {
  let last = title;
  for (let at = title + 1; at < words.length && at - title < MOST_WORDS; at += 1) {
    const [before, word] = [words[at - 1], words[at]];
    if (word === undefined || before === undefined || text.slice(before.end, word.start).trim() !== '') break;
    if (CAPITAL.test(word.text)) last = at;
    else if (!CONNECTIVES.has(word.text)) break;
  }
  return last;
};

const namesIn = (text: string, sentence: Range): Range[] => {
  const words = wordsOf(text, sentence);
  return words.flatMap((word, at) => {
    const [first, last] = isSuffix(word)
      ? [words[beginOf(text, words, at)], word]
      : isTitle(word)
        ? [words[at + 1], words[endOf(text, words, at)]]
        : [];
    return first === undefined || last === undefined || first.start >= last.start
      ? []
      : [{ start: first.start, end: last.end }];
  });
};

const labelAfter = (text: string, { end }: Range): string | null => {
  const label = LABEL.exec(text.slice(end, end + 240))?.[0];
  const name = label === undefined ? undefined : LABEL_NAME.exec(label)?.[1];
  return name?.trim().replace(ARTICLE, '').replace(ARTICLE, '').trim() ?? null;
};

/** Each party once, with the first sentence that names it. */
export const findParties: StatementFinder = (text) => {
  const byName = new Map<string, StatementDraft>();
  for (const sentence of readSentences(text))
    for (const place of namesIn(text, sentence)) {
      const value = text.slice(place.start, place.end);
      const { start, end } = quotable(text, sentence, place);
      const draft = {
        startAt: start,
        endAt: end,
        quote: text.slice(start, end),
        value,
        label: labelAfter(text, place),
      };
      const key = fold(value)
        .replace(/[.\s]+/g, ' ')
        .trim();
      if (!byName.has(key)) byName.set(key, draft);
    }
  return [...byName.values()];
};
