import { wordsNumberAt } from './number-words';
import type { Token } from './tokens';
import type { Side, WordForms } from './word-forms';

const COMPARED = new Set(
  `mas menos superior inferior posterior anterior exceder excedera exceden excede superar superara supera
   more less fewer later earlier exceed exceeding exceeds`
    .trim()
    .split(/\s+/),
);
/** Words between `no` and what it turns round: `no será superior`, `shall not be more`. */
const BETWEEN = new Set('sera seran podra podran puede pueden debera deberan be ser'.split(' '));
const DENYING = new Set(['no', 'not']);
const MOST_BETWEEN = 2;

/** The place of the word that the `no` at a place turns round: `no más de` is a bound, not a denial. */
export const boundAt = (words: readonly string[], at: number): number | undefined => {
  if (!DENYING.has(words[at] ?? '')) return undefined;
  for (let next = at + 1; next <= at + 1 + MOST_BETWEEN; next += 1) {
    if (COMPARED.has(words[next] ?? '')) return next;
    if (!BETWEEN.has(words[next] ?? '')) return undefined;
  }
  return undefined;
};

/** Words that compare only before one of these; elsewhere they are part of a phrase. */
const COMPARING = new Set(['mas', 'menos', 'more', 'less']);
const COMPARED_WITH = new Set(['de', 'que', 'than']);

/** Words that are bounds only before a number: `hasta dos días`, `over an hour`. */
const BOUNDING = new Set(['hasta', 'over', 'above', 'under', 'below']);

const isNumberAt = (words: readonly string[], at: number): boolean =>
  /^[\d€$£]/.test(words[at] ?? '') || ['a', 'an'].includes(words[at] ?? '') || wordsNumberAt(words, at) !== undefined;

const isComparison = (words: readonly string[], at: number): boolean => {
  const [word = '', next = ''] = words.slice(at, at + 2);
  if (COMPARING.has(word)) return COMPARED_WITH.has(next) || isAtLeast(words, at);
  return !BOUNDING.has(word) || isNumberAt(words, at + 1);
};

/** `al menos`, `por lo menos`. */
const isAtLeast = (words: readonly string[], at: number): boolean =>
  words[at] === 'menos' && ['al', 'lo'].includes(words[at - 1] ?? '');

/** The sides of each group of opposites that a text takes. */
type Sides = ReadonlyMap<number, ReadonlySet<number>>;

const turned = ({ group, side }: Side): Side => ({ group, side: 1 - side });

export const sidesIn = (tokens: readonly Token[], forms: WordForms): Sides => {
  const words = tokens.map(({ folded }) => folded);
  const bounds = new Set(words.map((_, at) => boundAt(words, at)));
  const found = new Map<number, Set<number>>();
  for (const [at, { kind, folded }] of tokens.entries()) {
    if (kind !== 'word' || !isComparison(words, at)) continue;
    for (const each of forms.of(folded).sides) {
      const { group, side } = bounds.has(at) || isAtLeast(words, at) ? turned(each) : each;
      found.set(group, (found.get(group) ?? new Set()).add(side));
    }
  }
  return found;
};

/** Whether a sentence takes only sides that the text takes too, or that the text takes no side of. */
export const agreesOnSides = (sentence: Sides, text: Sides): boolean =>
  [...sentence].every(([group, sides]) => {
    const others = text.get(group);
    return others === undefined || [...sides].some((side) => others.has(side));
  });
