import { boundAt } from './contrasts';
import { wordsNumberAt } from './number-words';
import { hasTerm, type Term, termNamed } from './terms';
import type { Token } from './tokens';
import { AGREEING, DENYING, EXCEPTING } from './vocabulary';
import { WordForms } from './word-forms';

/** A negation and the terms around it: `no se devuelve la fianza`, `without permission`, `excluded`. */
interface Negation {
  /** What a word such as `excluded` denies by itself. */
  readonly base: Term | null;
  /** The part of the text, up to a strong mark or a `but`, that it stands in. */
  readonly clause: number;
  /** Terms behind it, which it most likely denies, nearest first. */
  readonly forward: readonly Term[];
  readonly backward: readonly Term[];
  /** Whether it names what is excepted: `without permission`, `salvo urgencia`. */
  readonly isException: boolean;
}

const CLAUSE_MARKS = new Set(['.', ';', ':', '(', ')', '[', ']', '?', '!', '…', '\n', '—']);
const CLAUSE_WORDS = new Set('pero but aunque although though mientras while whereas sino however'.split(' '));
const COORDINATING = new Set('y e o u ni and or nor'.split(' '));
/** `no solo`, `not only`, `no obstante`: no negation. */
const NOT_DENIED = new Set('solo solamente only obstante just'.split(' '));
/** A bound such as `no más de` is no denial: `contrasts.ts` reads it. */
const isBound = (words: readonly string[], at: number): boolean => boundAt(words, at) !== undefined;
const CEASING = new Set('deja dejan dejo dejaron dejar dejado dejaba'.split(' '));
const STOPPING = new Set('stop stops stopped stopping cease ceases ceased'.split(' '));
const MOST_FORWARD = 6;
const MOST_BACKWARD = 4;

const MODALS = new Set('may can could puede pueden podra podran podria podrian'.split(' '));
const PERMITTED = termNamed('permitir', 0, new WordForms()).keys;

export const hasPermission = (tokens: readonly Token[]): boolean => tokens.some(({ folded }) => MODALS.has(folded));

/** A sentence with this share of the terms around a negation speaks of what it denies. */
const MENTIONED = 0.6;

interface Cue {
  readonly at: number;
  readonly clause: number;
  /** The first place of its segment, behind a comma or a stronger mark. */
  readonly segment: number;
  readonly base: string | null;
}

const isDenial = (words: readonly string[], at: number): boolean => {
  const [word = '', next = ''] = words.slice(at, at + 2);
  if (word === 'falta') return next === 'de' && !['hace', 'hacer', 'hara', 'sin'].includes(words[at - 1] ?? '');
  if (word === 'fuera') return next === 'de';
  if (CEASING.has(word)) return next === 'de';
  if (STOPPING.has(word)) return next.endsWith('ing');
  if (word.startsWith('fail')) return next === 'to';
  if (!DENYING.has(word) && !AGREEING.has(word)) return false;
  return !NOT_DENIED.has(next) && !isBound(words, at) && !(word === 'no' && /^\d/.test(next));
};

const cuesOf = (tokens: readonly Token[], forms: WordForms): Cue[] => {
  const words = tokens.map(({ folded }) => folded);
  const cues: Cue[] = [];
  let [clause, segment] = [0, 0];
  for (const [at, word] of words.entries()) {
    if (CLAUSE_MARKS.has(word) || CLAUSE_WORDS.has(word)) clause += 1;
    if (CLAUSE_MARKS.has(word) || CLAUSE_WORDS.has(word) || word === ',') segment = at + 1;
    const base = tokens[at]?.kind === 'word' ? (forms.of(word).denied ?? null) : null;
    if (base === null && !isDenial(words, at)) continue;
    const earlier = cues.at(-1);
    const isRepeated = earlier !== undefined && words[earlier.at] === word && COORDINATING.has(words[at - 1] ?? '');
    const agrees = AGREEING.has(word) && earlier?.clause === clause;
    if (!isRepeated && !agrees) cues.push({ at, clause, segment, base });
  }
  return cues;
};

/** Whether the next thing of a list begins: `ninguno en contra y cinco abstenciones`. */
const beginsCount = (words: readonly string[], at: number): boolean =>
  COORDINATING.has(words[at] ?? '') && (/^\d/.test(words[at + 1] ?? '') || wordsNumberAt(words, at + 1) !== undefined);

/** The end of what a negation denies: that of its clause, or of its part of a list. */
const forwardEndOf = (tokens: readonly Token[], from: number): number => {
  const words = tokens.map(({ folded }) => folded);
  const end = words.findIndex(
    (word, at) => at > from && (CLAUSE_MARKS.has(word) || CLAUSE_WORDS.has(word) || beginsCount(words, at)),
  );
  return end < 0 ? tokens.length : end;
};

/** The negations of a text, in order. */
export const negationsOf = (
  tokens: readonly Token[],
  terms: readonly Term[],
  forms: WordForms,
): readonly Negation[] => {
  const cues = cuesOf(tokens, forms);
  return cues.map(({ at, clause, segment, base }, index) => {
    const until = Math.min(cues[index + 1]?.at ?? tokens.length, forwardEndOf(tokens, at));
    const from = Math.max(segment, (cues[index - 1]?.at ?? -1) + 1);
    return {
      clause,
      base: base === null ? null : termNamed(base, at, forms),
      forward: terms.filter((term) => term.at > at && term.at < until).slice(0, MOST_FORWARD),
      backward: terms.filter((term) => term.at < at && term.at >= from).slice(-MOST_BACKWARD),
      isException: EXCEPTING.has(tokens[at]?.folded ?? ''),
    };
  });
};

const keysOf = (terms: readonly Term[]): ReadonlySet<string> => new Set(terms.flatMap(({ keys }) => keys));

const baseOf = ({ base }: Negation): readonly Term[] => (base === null ? [] : [base]);

const countIn = (terms: readonly Term[], keys: ReadonlySet<string>): number =>
  terms.filter((term) => hasTerm(keys, term)).length;

/** What stands behind both negations says most. */
const FORWARD = 4;

/** How much two negations have in common; 0 where they deny different things. */
const likeness = (one: Negation, other: Negation): number => {
  const [around, others] = [one, other].map(({ forward, backward }) => [...forward, ...backward]);
  const near = countIn(one.forward, keysOf(other.forward));
  const shared = countIn(around ?? [], keysOf(others ?? []));
  const isBare = around?.length === 0 || others?.length === 0;
  const bases = countIn(baseOf(one), keysOf([...baseOf(other), ...other.forward]));
  const basesOfOther = countIn(baseOf(other), keysOf(one.forward));
  return shared > 0 || isBare ? FORWARD * near + shared + bases + basesOfOther : 0;
};

/** Whether a sentence with these terms speaks of what a negation denies. */
const denies = (negation: Negation, keys: ReadonlySet<string>): boolean => {
  const forward = [...baseOf(negation), ...negation.forward];
  const { backward } = negation;
  const [first] = forward;
  const isFirst = first !== undefined && hasTerm(keys, first);
  const [ahead, behind] = [countIn(forward, keys), countIn(backward, keys)];
  if (isFirst) return ahead + behind > 1 || forward.length + backward.length === 1;
  return ahead > 0 && ahead + behind >= MENTIONED * (forward.length + backward.length);
};

const touches = ({ forward, backward }: Negation, keys: ReadonlySet<string>): boolean =>
  countIn([...forward, ...backward], keys) > 0;

const byClause = (negations: readonly Negation[]): Negation[][] =>
  [...new Set(negations.map(({ clause }) => clause))].map((clause) =>
    negations.filter((each) => each.clause === clause),
  );

/** Pairs each negation of a sentence with the most similar one of the text; returns those that stay alone. */
const unpaired = (
  sentence: readonly Negation[],
  text: readonly Negation[],
): { sentence: Negation[]; text: Negation[] } => {
  const left = [...text];
  const alone = sentence.filter((negation) => {
    const [best] = left
      .map((other) => ({ other, value: likeness(negation, other) }))
      .filter(({ value }) => value > 0)
      .toSorted((a, b) => b.value - a.value);
    if (best !== undefined) left.splice(left.indexOf(best.other), 1);
    return best === undefined;
  });
  return { sentence: alone, text: left };
};

/**
 * Whether negations of one clause that a sentence lacks cancel each other: `not without permission` is `with permission`.
 * The sentence names the exception, and at least what the other one is said of.
 */
const cancel = (clause: readonly Negation[], keys: ReadonlySet<string>): boolean => {
  const denied = clause.filter((negation) => denies(negation, keys));
  if (denied.length % 2 === 0) return true;
  const hasException = denied.some(({ isException }) => isException);
  return hasException && clause.some((negation) => !denied.includes(negation) && touches(negation, keys));
};

/**
 * Whether a sentence denies what the text denies, and nothing else.
 * @param terms those of the sentence
 * @param isPermission whether the sentence has a word such as `may`, which says `is permitted`
 */
export const agreesOnNegation = (
  sentence: readonly Negation[],
  text: readonly Negation[],
  terms: readonly Term[],
  isPermission: boolean,
): boolean => {
  const alone = unpaired(sentence, text);
  if (byClause(alone.sentence).some((clause) => clause.length % 2 === 1)) return false;
  const keys = new Set([...keysOf(terms), ...(isPermission ? PERMITTED : [])]);
  return byClause(alone.text).every((clause) => cancel(clause, keys));
};
