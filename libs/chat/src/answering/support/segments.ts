import type { AnalysedText } from './analysed-text';
import type { Literal, NumberLiteral } from './literals';
import type { Term } from './terms';

/** Something that a text says of what stands around it: a number, a date, a name. */
export interface Item {
  readonly first: number;
  readonly end: number;
  /** Items of different sorts are no rivals: euros and days, names and numbers. */
  readonly sort: string;
  readonly literal: Literal | null;
  readonly words: readonly string[];
}

/** A part of a text around one item, or around some that no boundary divides. */
export interface Segment {
  readonly first: number;
  readonly end: number;
  /** Its place among the sentences of the text. */
  readonly sentence: number;
  readonly items: readonly Item[];
  /** Its terms, and its literals of other sorts. */
  readonly elements: readonly Term[];
}

/** Marks that no part goes across. */
const HARD = new Set(['.', ';', '(', ')', '\n']);
const STRONG = new Set('y e o u and or pero but mientras while whereas aunque although versus frente'.split(' '));

/** Commas set off what is said of a name, and separate numbers. */
const isBoundary = (mark: string, sort: string): boolean =>
  STRONG.has(mark) || HARD.has(mark) || (mark === ',' && sort !== NAME);

const OF = new Set(['de', 'of']);
const ARTICLES = new Set(['los', 'las', 'the']);

/** The noun that a number counts, right behind it. */
export const nounOf = ({ end, unit }: NumberLiteral, { terms }: AnalysedText): Term | undefined =>
  unit === null ? terms.find(({ at }) => at === end) : undefined;

/** The same; in `84 of the 112 members` the first number counts members, too. */
export const wholeOf = (number: NumberLiteral, text: AnalysedText): Term | undefined => {
  const { end, unit } = number;
  const noun = nounOf(number, text);
  if (unit !== null || noun !== undefined || !OF.has(text.tokens[end]?.folded ?? '')) return noun;
  const next = ARTICLES.has(text.tokens[end + 1]?.folded ?? '') ? end + 2 : end + 1;
  const whole = text.literals.find((each): each is NumberLiteral => each.kind === 'number' && each.first === next);
  return whole === undefined ? undefined : text.terms.find(({ at }) => at === whole.end);
};

const NAME = 'name';
const BARE = 'number';
const sortOf = (literal: Literal, text: AnalysedText): string => {
  if (literal.kind !== 'number') return literal.kind;
  if (literal.unit !== null) return `${BARE} ${literal.unit.dimension}`;
  return wholeOf(literal, text) === undefined ? BARE : `${BARE} of things`;
};

/** A number that counts nothing by itself, as in `and quality for 45`, is a rival of all numbers. */
export const areRivals = (one: string, other: string): boolean =>
  one === other || ((one === BARE || other === BARE) && one.startsWith(BARE) && other.startsWith(BARE));

/** The items of a text. A number word that may be an article is none. */
export const itemsOf = (text: AnalysedText): readonly Item[] => [
  ...text.literals
    .filter((literal) => literal.kind !== 'number' || !literal.isArticle)
    .map((literal) => ({
      ...{ first: literal.first, end: literal.end, words: [] },
      ...{ sort: sortOf(literal, text), literal },
    })),
  ...text.names
    .filter(({ words }) => words.some((word) => word.length > 1))
    .map(({ places, words }) => ({
      ...{ first: places[0] ?? 0, end: (places.at(-1) ?? 0) + 1 },
      ...{ sort: NAME, literal: null, words },
    })),
];

/** A part between two boundaries. */
interface Piece {
  readonly first: number;
  readonly end: number;
  /** The word or mark before it. */
  readonly boundary: string;
  readonly sentence: number;
  readonly hasItem: boolean;
}

/** The parts of a text between boundaries. No boundary is inside an item, or between two items that touch it. */
const piecesOf = ({ tokens }: AnalysedText, all: readonly Item[], items: readonly Item[], sort: string): Piece[] => {
  const inside = new Set(
    all.flatMap(({ first, end }) => Array.from({ length: end - first - 1 }, (_, at) => first + at + 1)),
  );
  const [starts, ends] = [new Set(all.map(({ first }) => first)), new Set(all.map(({ end }) => end))];
  const pieces: Piece[] = [];
  let [first, boundary, sentence] = [0, '.', 0];
  const close = (end: number, next: string): void => {
    const hasItem = items.some((item) => item.first >= first && item.first < end);
    pieces.push({ first, end, boundary, sentence, hasItem });
    [first, boundary, sentence] = [end, next, sentence + (HARD.has(next) ? 1 : 0)];
  };
  for (const [at, { folded }] of tokens.entries()) {
    const isBetween = ends.has(at) && starts.has(at + 1);
    if (isBoundary(folded, sort) && !inside.has(at) && (!isBetween || HARD.has(folded))) close(at, folded);
  }
  close(tokens.length, '.');
  return pieces;
};

/**
 * Joins pieces so that each part has an item. A piece without one belongs to the part before it; behind a word such as
 * `and` it belongs to the next one where a comma alone divides them: `and the reduced fee, for students, is 25`.
 */
const joinedPieces = (pieces: readonly Piece[]): Piece[] => {
  const parts: Piece[] = [];
  let waiting: Piece[] = [];
  const giveBack = (): void => {
    const last = parts.at(-1);
    const end = waiting.at(-1)?.end;
    if (last !== undefined && end !== undefined) parts[parts.length - 1] = { ...last, end };
    waiting = [];
  };
  let isBegun = false;
  for (const piece of pieces) {
    if (HARD.has(piece.boundary)) {
      if (isBegun) giveBack();
      [waiting, isBegun] = [[], false];
    }
    if (!piece.hasItem) {
      waiting.push(piece);
      continue;
    }
    const joint = isBegun ? waiting.findIndex(({ boundary }) => boundary !== ',') : 0;
    const isAhead = !isBegun || piece.boundary === ',';
    const from = isAhead && joint >= 0 ? waiting.splice(joint)[0] : undefined;
    if (isBegun) giveBack();
    parts.push({ ...piece, first: from?.first ?? piece.first });
    [waiting, isBegun] = [[], true];
  }
  if (isBegun) giveBack();
  return parts;
};

/** A literal as a term. A date has the key of its most exact part. */
const elementOf = (literal: Literal): Term => {
  const place = { at: literal.first, folded: '' };
  if (literal.kind === 'number') {
    const { factor = 1, dimension = '' } = literal.unit ?? {};
    return { ...place, keys: literal.values.map((value) => `@${String(value * factor)} ${dimension}`) };
  }
  if (literal.kind !== 'date') return { ...place, keys: [`@${literal.kind} ${literal.value}`] };
  const keys = literal.dates.map(({ year, month, day }) =>
    month === null ? `@year ${String(year)}` : `@date ${String(month)} ${String(day)}`,
  );
  return { ...place, keys };
};

export const isLiteralElement = ({ folded }: Term): boolean => folded === '';

/** Divides a text into parts around its items of a sort and their rivals. */
export const segmentsOf = (text: AnalysedText, sort: string): readonly Segment[] => {
  const all = itemsOf(text);
  const items = all.filter((item) => areRivals(item.sort, sort));
  const isNamed = new Set(text.names.flatMap(({ places }) => places));
  const taken = new Set(items.map(({ first }) => first));
  const elements = [
    ...text.terms.filter(({ at }) => !isNamed.has(at)),
    ...text.literals.filter(({ first }) => !taken.has(first)).map(elementOf),
  ].toSorted((a, b) => a.at - b.at);
  return joinedPieces(piecesOf(text, all, items, sort)).map(({ first, end, sentence }) => ({
    ...{ first, end, sentence },
    items: items.filter((item) => item.first >= first && item.first < end),
    elements: elements.filter(({ at }) => at >= first && at < end),
  }));
};

/** The items of a part of a text between words such as `and` and stronger marks. */
export interface ItemGroup {
  readonly sentence: number;
  readonly items: readonly Item[];
}

export const itemGroups = (text: AnalysedText): readonly ItemGroup[] => {
  const all = itemsOf(text);
  return piecesOf(text, all, all, NAME)
    .map(({ first, end, sentence }) => ({
      sentence,
      items: all.filter((item) => item.first >= first && item.first < end),
    }))
    .filter(({ items }) => items.length > 0);
};
