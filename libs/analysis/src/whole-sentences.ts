import type { Range } from './sentences';

/** How a sentence begins: upper case, a number, or a letter of a script without case; quotes and brackets before it. */
const BEGINS = /^["“”«'‘(¿¡]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
const ENDS = /[.!?…。]["”»’)\]]*$/u;
/** Marks of Markdown, of tables and of HTML, addresses, and commands of LaTeX. */
const MARKUP =
  /[|`{}\\]|\*\*|__|\]\(|[=~_-]{4}|<[a-z/!?]|&(?:#\d+|[a-z]{2,31});|:\/\/|\bwww\.|^\s*(?:[-*+•#>☐☑]|\p{N}{1,3}[.)]\s|\p{L}[.)]\s)/iu;
/** The end of what stands before a sentence in its line. */
const BEFORE = /[.!?…。:;|]["”»’)\]\d]*$/u;
const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['“', '”'],
  ['«', '»'],
] as const;
/** Letters among the characters of prose. Formulas and columns of numbers have fewer. */
const LETTERS = 0.65;
const FEWEST_WORDS = 4;

const count = (text: string, part: string): number => text.split(part).length - 1;

const isProse = (sentence: string): boolean => {
  const characters = sentence.replace(/\s/gu, '');
  const letters = characters.replace(/\P{L}/gu, '');
  const hasWords = sentence.split(/\s+/u).length >= FEWEST_WORDS || !/[\p{Lu}\p{Ll}]/u.test(sentence);
  return hasWords && letters.length >= LETTERS * characters.length;
};

/** Whether a range is a sentence of prose from its begin to its end, without markup: no heading, no row, no part of one. */
export const isWholeSentence = (text: string, { start, end }: Range): boolean => {
  const sentence = text.slice(start, end).trim();
  if (!BEGINS.test(sentence) || !ENDS.test(sentence) || MARKUP.test(sentence)) return false;
  if (PAIRS.some(([open, close]) => count(sentence, open) !== count(sentence, close))) return false;
  const before = text.slice(Math.max(0, start - 200), start);
  const line = before.slice(before.lastIndexOf('\n') + 1).trim();
  const after = text.slice(end, end + 20);
  if (line !== '' && !BEFORE.test(line)) return false;
  return !/^(?:\S|\s+\p{Ll})/u.test(after) && isProse(sentence);
};

/** The text of a line without the marks of Markdown, of a list or of a table. */
const withoutMarkup = (line: string): string =>
  line
    .replace(/!?\[([^[\]]{0,300})\]\([^()]{0,500}\)/gu, '$1')
    .replace(/^\s*(?:[#>]+|[-*+•☐☑](?=\s)|:?-{3,}:?)\s*/u, '')
    .replace(/\*\*|__|`+|<\/?[a-z][^<>]{0,200}>/giu, '')
    .split('|')
    .map((cell) => cell.replace(/\s+/gu, ' ').trim())
    .filter((cell) => cell !== '')
    .join(', ');

/** The last white space up to a place, if it is not far before it; the place itself in a text without words. */
const atWord = (text: string, place: number): number => {
  const gap = text.lastIndexOf(' ', place);
  return gap > place / 2 ? gap : place;
};

/** The beginning of a text without prose, line by line without markup; a first line that is too long ends at a word. */
export const plainBeginning = (text: string, most: number): string => {
  let beginning = '';
  for (const line of text.split('\n')) {
    const words = withoutMarkup(line);
    if (!/[\p{L}\p{N}]/u.test(words)) continue;
    const gap = beginning === '' ? '' : /[.,:;!?…]$/u.test(beginning) ? ' ' : '; ';
    if (beginning.length + gap.length + words.length > most) break;
    beginning += gap + words;
  }
  if (beginning !== '') return beginning;
  const line = withoutMarkup(
    text
      .slice(0, 2 * most)
      .trim()
      .split('\n')[0] ?? '',
  );
  return line.length <= most ? line : `${line.slice(0, atWord(line, most - 1)).toWellFormed()}…`;
};
