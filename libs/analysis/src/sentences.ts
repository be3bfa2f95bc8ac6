/** A half-open range of characters. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const ABBREVIATIONS = new Set(
  `sr sra srta dr dra d dna don art arts num pag pags etc ej aprox av avda tel ud uds vd vds cap vol fig ed mr mrs ms prof
   st vs e.g i.e inc ltd co corp dept est gov jan feb mar apr jun jul aug sep sept oct nov dec ene abr ago dic p pp cf`
    .trim()
    .split(/\s+/),
);

const LIST_ITEM = /^[ \t]*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])[ \t]/;
const LAST_WORD = /(?:^|[\s(«"“])([\p{L}.]{1,8})$/u;

/** Whether the mark at `index` ends a sentence, and not an abbreviation, an initial or a number. */
const endsSentence = (text: string, index: number, from: number): boolean => {
  const next = text[index + 1];
  if (next !== undefined && !/[\s"”»')\]]/.test(next)) return false;
  if (text[index] !== '.') return true;
  const word = LAST_WORD.exec(text.slice(Math.max(from, index - 12), index))?.[1]
    ?.toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  if (word !== undefined && (ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word))) return false;
  const following = /^["”»')\]]*\s+(\S)/.exec(text.slice(index + 1, index + 12))?.[1];
  if (word === 'no' && following !== undefined && /\d/.test(following)) return false;
  return following === undefined || !/\p{Ll}/u.test(following);
};

/** The ends of the sentences of consecutive lines without a blank line. */
const endsWithin = (text: string, { start, end }: Range): number[] => {
  const ends: number[] = [];
  for (let index = start; index < end; index += 1) {
    if (!'.!?…'.includes(text[index] ?? '')) continue;
    if (!endsSentence(text, index, start)) continue;
    let after = index + 1;
    while (after < end && /["”»')\].!?…]/.test(text[after] ?? '')) after += 1;
    ends.push(after);
    index = after - 1;
  }
  return ends;
};

/** Blocks between blank lines; a list item or a heading begins a block of its own. */
const blocks = (text: string, { start, end }: Range): Range[] => {
  const found: Range[] = [];
  let from = start;
  let offset = start;
  for (const line of text.slice(start, end).split('\n')) {
    const blank = line.trim() === '';
    if ((blank || LIST_ITEM.test(line) || line.startsWith('#')) && offset > from) {
      found.push({ start: from, end: offset });
      from = offset;
    }
    offset += line.length + 1;
    if (line.startsWith('#') && offset <= end) {
      found.push({ start: from, end: offset });
      from = offset;
    }
  }
  if (from < end) found.push({ start: from, end });
  return found;
};

const trimmed = (text: string, { start, end }: Range): Range => {
  const [head, tail] = [start, end];
  let [first, last] = [head, tail];
  while (first < last && /\s/.test(text[first] ?? '')) first += 1;
  while (last > first && /\s/.test(text[last - 1] ?? '')) last -= 1;
  return { start: first, end: last };
};

/**
 * The sentences of a text or of a part of it, in order, without the white space around them; blank ones are left out.
 */
export const sentences = (text: string, within: Range = { start: 0, end: text.length }): Range[] =>
  blocks(text, within)
    .flatMap((block) => {
      const ends = [...endsWithin(text, block), block.end];
      return ends.map((end, index) => ({ start: index === 0 ? block.start : (ends[index - 1] ?? end), end }));
    })
    .map((range) => trimmed(text, range))
    .filter(({ start, end }) => end > start);
