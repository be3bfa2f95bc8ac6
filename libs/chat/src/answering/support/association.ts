import type { AnalysedText } from './analysed-text';
import type { Literal, NumberLiteral } from './literals';
import { isSameLiteral, isSameNumber } from './literal-match';
import { hasTerm, type Term } from './terms';

/** Something that a text says of what stands around it: a number, a date, a name. */
interface Item {
  readonly first: number;
  readonly end: number;
  /** Items of different sorts are no rivals: euros and days, names and numbers. */
  readonly sort: string;
  readonly literal: Literal | null;
  readonly words: readonly string[];
}

/** A part of a text around one item, or around some that no boundary divides. */
interface Segment {
  readonly first: number;
  readonly end: number;
  readonly items: readonly Item[];
  readonly terms: readonly Term[];
}

/** Marks that no part goes across. */
const HARD = new Set(['.', ';', ':', '(', ')', '\n']);
const STRONG = new Set('y e o u and or pero but mientras while whereas aunque although versus frente'.split(' '));

/** Commas set off what is said of a name, and separate numbers. */
const isBoundary = (mark: string, sort: string): boolean =>
  STRONG.has(mark) || HARD.has(mark) || (mark === ',' && sort !== 'name');

const BARE = 'number';
const sortOf = (literal: Literal, text: AnalysedText): string => {
  if (literal.kind !== 'number') return literal.kind;
  if (literal.unit !== null) return `${BARE} ${literal.unit.dimension}`;
  return nounOf(literal, text) === undefined ? BARE : `${BARE} of things`;
};

/** A number that counts nothing by itself, as in `and quality for 45`, is a rival of all numbers. */
const areRivals = (one: string, other: string): boolean =>
  one === other || ((one === BARE || other === BARE) && one.startsWith(BARE) && other.startsWith(BARE));

const itemsOf = (text: AnalysedText): Item[] => [
  ...text.literals
    .filter((literal) => literal.kind !== 'number' || !literal.isArticle)
    .map((literal) => ({ first: literal.first, end: literal.end, sort: sortOf(literal, text), literal, words: [] })),
  ...text.names
    .filter(({ words }) => words.some((word) => word.length > 1))
    .map(({ places, words }) => ({
      first: places[0] ?? 0,
      end: (places.at(-1) ?? 0) + 1,
      ...{ sort: 'name', literal: null, words },
    })),
];

/** A part between two boundaries. */
interface Piece {
  readonly first: number;
  readonly end: number;
  /** The word or mark before it. */
  readonly boundary: string;
  readonly hasItem: boolean;
}

/** The parts of a text between boundaries. No boundary is inside an item, or between two items that touch it. */
const piecesOf = ({ tokens }: AnalysedText, all: readonly Item[], items: readonly Item[], sort: string): Piece[] => {
  const inside = new Set(
    all.flatMap(({ first, end }) => Array.from({ length: end - first - 1 }, (_, at) => first + at + 1)),
  );
  const [starts, ends] = [new Set(all.map(({ first }) => first)), new Set(all.map(({ end }) => end))];
  const pieces: Piece[] = [];
  let [first, boundary] = [0, '.'];
  const close = (end: number, next: string): void => {
    pieces.push({ first, end, boundary, hasItem: items.some((item) => item.first >= first && item.first < end) });
    [first, boundary] = [end, next];
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

/** Divides a text into parts around the items of a sort. */
const segmentsOf = (text: AnalysedText, items: readonly Item[], sort: string): Segment[] => {
  const isNamed = new Set(text.names.flatMap(({ places }) => places));
  return joinedPieces(piecesOf(text, itemsOf(text), items, sort)).map(({ first, end }) => ({
    ...{ first, end },
    items: items.filter((item) => item.first >= first && item.first < end),
    terms: text.terms.filter(({ at }) => at >= first && at < end && !isNamed.has(at)),
  }));
};

const keysOf = (terms: readonly Term[]): ReadonlySet<string> => new Set(terms.flatMap(({ keys }) => keys));

const shared = (terms: readonly Term[], others: readonly Term[]): number => {
  const keys = keysOf(others);
  return terms.filter((term) => hasTerm(keys, term)).length;
};

const isSameItem = (item: Item, other: Item, text: AnalysedText): boolean => {
  if (item.literal !== null) return other.literal !== null && isSameLiteral(item.literal, other.literal, text);
  return item.words.some((word) => other.words.includes(word));
};

/** Fewer shared terms with a rival are chance. */
const leastOf = (sort: string): number => (sort === 'name' ? 1 : 2);

/** Terms before the item of a segment, which name what the item is said of. */
const subjectOf = ({ terms, items }: Segment): readonly Term[] => terms.filter(({ at }) => at < (items[0]?.first ?? 0));

/** Whether the terms around an item of the sentence stand around a rival in the text, and not around the item. */
const isMisplaced = (
  item: Item,
  around: Segment,
  text: AnalysedText,
  segments: readonly Segment[],
  all: readonly Item[],
): boolean => {
  const holders = segments.filter(({ items }) => items.some((other) => isSameItem(item, other, text)));
  // What a name does to another one that the sentence names too is not known.
  const isNamed = ({ items }: Segment): boolean =>
    item.sort === 'name' && items.some((other) => all.some((each) => isSameItem(each, other, text)));
  const rivals = segments.filter((segment) => !holders.includes(segment) && !isNamed(segment));
  if (holders.length === 0) return false;
  const here = Math.max(...holders.map(({ terms }) => shared(around.terms, terms)));
  const last = Math.max(...holders.map(({ first }) => first));
  return rivals.some((rival) => {
    if (here === 0 && shared(around.terms, rival.terms) >= leastOf(item.sort)) return true;
    const subject = subjectOf(rival);
    const isLater = rival.first > last && item.sort !== 'name';
    const holderTerms = holders.flatMap(({ terms }) => terms);
    const foreign = around.terms.filter((term) => !hasTerm(keysOf(holderTerms), term));
    return isLater && shared(foreign, subject) > 0;
  });
};

/** The noun that a number counts, right behind it. */
const nounOf = ({ end, unit }: NumberLiteral, { terms }: AnalysedText): Term | undefined =>
  unit === null ? terms.find(({ at }) => at === end) : undefined;

/** Whether the text counts the same thing with other numbers only. */
const isMiscounted = (number: NumberLiteral, sentence: AnalysedText, text: AnalysedText): boolean => {
  const noun = nounOf(number, sentence);
  if (noun === undefined) return false;
  const counts = text.literals.filter((each): each is NumberLiteral => {
    const other = each.kind === 'number' ? nounOf(each, text) : undefined;
    return other !== undefined && hasTerm(new Set(other.keys), noun);
  });
  return counts.length > 0 && !counts.some((each) => isSameNumber(number, each, text.dimensions));
};

/** Whether each number, date and name of a sentence stands with the same things in the text. */
export const agreesOnPlaces = (sentence: AnalysedText, text: AnalysedText): boolean => {
  const numbers = sentence.literals.filter((each): each is NumberLiteral => each.kind === 'number');
  if (numbers.some((number) => isMiscounted(number, sentence, text))) return false;
  const items = itemsOf(sentence);
  const others = itemsOf(text);
  return [...new Set(items.map(({ sort }) => sort))].every((sort) => {
    const ofSort = others.filter((item) => areRivals(item.sort, sort));
    if (ofSort.length < 2) return true;
    const segments = segmentsOf(text, ofSort, sort);
    const around = segmentsOf(
      sentence,
      items.filter((item) => areRivals(item.sort, sort)),
      sort,
    );
    // Which terms belong to which of two items of one part is not known.
    return around.every((segment) => {
      const [item, second] = segment.items;
      return item?.sort !== sort || second !== undefined || !isMisplaced(item, segment, text, segments, items);
    });
  });
};
