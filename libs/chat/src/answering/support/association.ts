import type { AnalysedText } from './analysed-text';
import { isSameLiteral, isSameNumber } from './literal-match';
import type { NumberLiteral } from './literals';
import {
  areRivals,
  isLiteralElement,
  type Item,
  type ItemGroup,
  itemGroups,
  itemsOf,
  nounOf,
  type Segment,
  segmentsOf,
  wholeOf,
} from './segments';
import { hasTerm, type Term } from './terms';

const keysOf = (terms: readonly Term[]): ReadonlySet<string> => new Set(terms.flatMap(({ keys }) => keys));

const sharedOf = (terms: readonly Term[], others: readonly Term[]): readonly Term[] => {
  const keys = keysOf(others);
  return terms.filter((term) => hasTerm(keys, term));
};

const isSameItem = (item: Item, other: Item, text: AnalysedText): boolean => {
  if (item.literal !== null) return other.literal !== null && isSameLiteral(item.literal, other.literal, text);
  return item.words.some((word) => other.words.includes(word));
};

/** Fewer shared terms with a rival are chance. */
const leastOf = (sort: string): number => (sort === 'name' ? 1 : 2);
/** A rival that shares this many times the terms of the item is the one that is meant. */
const CLEARLY_MORE = 3;

/** What stands before the item of a segment, which names what the item is said of. */
const subjectOf = ({ elements, items }: Segment): readonly Term[] =>
  elements.filter(({ at }) => at < (items[0]?.first ?? 0));

/** What stands behind the item of a segment, which qualifies it. */
const qualifierOf = ({ elements, items }: Segment): readonly Term[] =>
  elements.filter(({ at }) => at >= (items.at(-1)?.end ?? Infinity));

interface Place {
  /** What stands around the item in the sentence. */
  readonly around: readonly Term[];
  /** The parts of the text that have the item. */
  readonly holders: readonly Segment[];
  readonly sort: string;
}

/** What a rival has for itself: the beginning of a sentence is said of all its items. */
const withoutHead = (rival: Segment, { holders }: Place): readonly Term[] => {
  const isHead = holders.some(({ sentence, first }) => sentence === rival.sentence && first > rival.first);
  return isHead ? rival.elements.filter((element) => !subjectOf(rival).includes(element)) : rival.elements;
};

/** Whether more of the sentence stands around a rival than around the item. */
const isAroundRival = (place: Place, rival: Segment): boolean => {
  const { around, holders, sort } = place;
  const here = holders.map(({ elements }) => sharedOf(around, elements));
  const most = Math.max(...here.map(({ length }) => length));
  const there = sharedOf(around, withoutHead(rival, place));
  if (there.length >= Math.max(leastOf(sort), CLEARLY_MORE * most)) return true;
  const hasLiteral = there.some(isLiteralElement) && !here.flat().some(isLiteralElement);
  return hasLiteral && there.length >= most + 2;
};

/** Whether the item has a subject of its own, and the sentence has that of a rival instead. */
const hasOtherSubject = ({ around, holders, sort }: Place, rival: Segment): boolean =>
  sort !== 'name' &&
  holders.every((holder) => {
    const subject = subjectOf(holder);
    return holder.sentence === rival.sentence && subject.length > 0 && sharedOf(around, subject).length === 0;
  }) &&
  sharedOf(around, subjectOf(rival)).length > 0;

/** Whether the sentence says the item of what a later rival is said of: `price for 55 and quality for 45`. */
const hasSubjectOf = ({ around, holders, sort }: Place, rival: Segment): boolean => {
  const isLater = holders.every(({ first, sentence }) => first < rival.first && sentence === rival.sentence);
  if (sort === 'name' || !isLater) return false;
  const here = keysOf(holders.flatMap(({ elements }) => elements));
  const foreign = around.filter((term) => !hasTerm(here, term));
  return sharedOf(foreign, subjectOf(rival)).length > 0;
};

/** Whether the sentence qualifies the item as the text qualifies a rival: `640 in winter and 1,150 in summer`. */
const hasQualifierOf = ({ around, holders }: Place, rival: Segment): boolean => {
  const isOther = holders.every((holder) => {
    const qualifier = qualifierOf(holder);
    return holder.sentence === rival.sentence && qualifier.length > 0 && sharedOf(around, qualifier).length === 0;
  });
  const shared = sharedOf(around, qualifierOf(rival));
  return isOther && (shared.length > 1 || shared.some(isLiteralElement));
};

/** Whether what a sentence says of an item is what the text says of a rival. */
const isMisplaced = (place: Place, rivals: readonly Segment[]): boolean =>
  place.holders.length > 0 &&
  rivals.some((rival) =>
    [isAroundRival, hasOtherSubject, hasSubjectOf, hasQualifierOf].some((isStatedOf) => isStatedOf(place, rival)),
  );

/** Whether the items of one sort stand in the text with the same things as in the sentence. */
const agreesOnSort = (sort: string, sentence: AnalysedText, text: AnalysedText): boolean => {
  const segments = segmentsOf(text, sort);
  if (segments.length < 2) return true;
  const parts = segmentsOf(sentence, sort);
  return parts.every((part) => {
    // Items that stand together are one: which terms belong to which of them is not known.
    if (part.items.some((item) => item.sort !== sort)) return true;
    const holders = segments.filter(({ items }) =>
      part.items.every((item) => items.some((other) => isSameItem(item, other, text))),
    );
    // What one name of a sentence does to another is not known.
    const named = parts
      .filter((each) => sort === 'name' && each.sentence === part.sentence)
      .flatMap(({ items }) => items);
    const isNamed = ({ items }: Segment): boolean =>
      items.some((other) => named.some((each) => isSameItem(each, other, text)));
    const rivals = segments.filter((segment) => !holders.includes(segment) && !isNamed(segment));
    return !isMisplaced({ around: part.elements, holders, sort }, rivals);
  });
};

/** Whether the text counts the same thing with other numbers only. */
const isMiscounted = (number: NumberLiteral, sentence: AnalysedText, text: AnalysedText): boolean => {
  const noun = nounOf(number, sentence);
  if (noun === undefined) return false;
  const counts = text.literals.filter((each): each is NumberLiteral => {
    const other = each.kind === 'number' ? wholeOf(each, text) : undefined;
    return other !== undefined && hasTerm(new Set(other.keys), noun);
  });
  return counts.length > 0 && !counts.some((each) => isSameNumber(number, each, text.dimensions));
};

/** Whether two items of one part of a sentence stand in two parts of the text, each with a rival of the other one. */
const isCrossed = (one: Item, other: Item, text: AnalysedText, groups: readonly ItemGroup[]): boolean => {
  const having = (item: Item): ItemGroup[] =>
    groups.filter(({ items }) => items.some((each) => isSameItem(item, each, text)));
  const [ones, others] = [having(one), having(other)];
  if (ones.length === 0 || others.length === 0 || ones.some((group) => others.includes(group))) return false;
  // What two names of two sentences have to do with each other is not known.
  const areNear = ones.every(({ sentence }) => others.every((group) => group.sentence === sentence));
  if (areRivals(one.sort, other.sort) && !areNear) return false;
  const hasRival = ({ items }: ItemGroup, holder: Item, missing: Item): boolean =>
    items.some((each) => areRivals(each.sort, missing.sort) && !isSameItem(holder, each, text));
  return ones.every((group) => hasRival(group, one, other)) && others.every((group) => hasRival(group, other, one));
};

/** Whether items that stand together in the sentence are not paired with others in the text. */
const agreesOnPairs = (sentence: AnalysedText, text: AnalysedText): boolean => {
  const groups = itemGroups(text);
  return itemGroups(sentence).every(({ items }) =>
    items.every((one, at) => items.slice(at + 1).every((other) => !isCrossed(one, other, text, groups))),
  );
};

/** Whether each number, date and name of a sentence stands with the same things in the text. */
export const agreesOnPlaces = (sentence: AnalysedText, text: AnalysedText): boolean => {
  const numbers = sentence.literals.filter((each): each is NumberLiteral => each.kind === 'number');
  if (numbers.some((number) => isMiscounted(number, sentence, text))) return false;
  const sorts = new Set(itemsOf(sentence).map(({ sort }) => sort));
  return [...sorts].every((sort) => agreesOnSort(sort, sentence, text)) && agreesOnPairs(sentence, text);
};
