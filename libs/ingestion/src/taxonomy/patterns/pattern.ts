import { RE2JS, RE2JSException } from 're2js';
import type { FoldedText } from './folded-text';
import { requiredLiterals } from './required-literals';

/** Most characters of a pattern. */
export const LONGEST_PATTERN = 2_000;
/** Most instructions of a compiled pattern; a match costs at most this times the length of the text. */
export const LARGEST_PATTERN = 5_000;
/** Characters on each side of a literal: together 4 kB. */
const REACH = 2_048;
/** A literal nearer than this to the one before has enough text on both sides in its window. */
const STEP = REACH / 2;
const MOST_WINDOWS = 16;
/** Places whose truth depends on what a window cuts off. */
const PLACES = /[$^]|\\[bBAz]/;
const TYPESET_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const VALUE = 'value';

/** A rule that cannot be compiled. Rules are checked when they are written: such a one was imported. */
export class RuleUnusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RuleUnusable';
  }
}

/** A range of a text, with the range of the group `value` where it matched. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly value: { readonly start: number; readonly end: number } | undefined;
}

/** Spaces of typesetting as plain ones, place by place: people write a plain space, and RE2's `\s` knows no other. */
const withPlainSpaces = (text: string): string => text.replace(TYPESET_SPACES, ' ');

const compile = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new RuleUnusable(
      'The pattern is not an RE2 expression: look-around and back-references have no linear time.',
    );
  }
};

interface Window {
  readonly from: number;
  readonly to: number;
}

/** An RE2 pattern, run in linear time on windows of at most 4 kB. */
export class Pattern {
  private readonly hasPlaces: boolean;
  private readonly literals: readonly string[] | undefined;

  private constructor(
    private readonly compiled: RE2JS,
    source: string,
    readonly hasValue: boolean,
  ) {
    this.hasPlaces = PLACES.test(source);
    this.literals = requiredLiterals(source);
  }

  /** @throws RuleUnusable where it is empty, too long, too large or no RE2 expression */
  static of(source: string): Pattern {
    if (source === '') throw new RuleUnusable('The pattern is empty and would match every document.');
    if (source.length > LONGEST_PATTERN)
      throw new RuleUnusable(`The pattern is longer than ${LONGEST_PATTERN} characters.`);
    const compiled = compile(withPlainSpaces(source));
    if (compiled.programSize() > LARGEST_PATTERN)
      throw new RuleUnusable('The pattern is too large: write smaller repetitions.');
    return new Pattern(compiled, source, Object.hasOwn(compiled.namedGroups(), VALUE));
  }

  /** Whether a short text such as a name matches anywhere, in its first 4 kB. */
  matchesShort(text: string): boolean {
    return this.compiled.test(withPlainSpaces(text.slice(0, 2 * REACH)));
  }

  /** Whether a text matches where `matches` looks; cheaper than a match. */
  isIn(text: FoldedText): boolean {
    for (const window of this.windows(text)) {
      const { from, to } = window;
      const isWhole = from === 0 && to >= text.text.length;
      if (isWhole || !this.hasPlaces) {
        if (this.compiled.test(withPlainSpaces(text.text.slice(from, to)))) return true;
      } else for (const _match of this.within(text.text, window)) return true;
    }
    return false;
  }

  /** The matches of a text in its order: around each required literal, or in the first 4 kB without one. */
  *matches(text: FoldedText): Iterable<PatternMatch> {
    let after = 0;
    for (const window of this.windows(text))
      for (const match of this.within(text.text, window))
        if (match.start >= after) {
          after = Math.max(match.end, match.start + 1);
          yield match;
        }
  }

  private *within(text: string, { from, to }: Window): Iterable<PatternMatch> {
    const part = withPlainSpaces(text.slice(from, to));
    if (!this.compiled.test(part)) return;
    const matcher = this.compiled.matcher(part);
    while (matcher.find()) {
      const [start, end] = [from + matcher.start(), from + matcher.end()];
      const isCut = (start === from && from > 0) || (end === to && to < text.length);
      if (this.hasPlaces && isCut) continue;
      const valueAt = this.hasValue ? matcher.start(VALUE) : -1;
      const value = valueAt < 0 ? undefined : { start: from + valueAt, end: from + matcher.end(VALUE) };
      yield { start, end, value };
    }
  }

  private *windows(text: FoldedText): Iterable<Window> {
    const start = { from: 0, to: 2 * REACH };
    if (this.literals === undefined || text.text.length <= start.to) {
      if (this.literals === undefined || nextOf(this.literals, text.folded, 0) !== undefined) yield start;
      return;
    }
    let from = 0;
    for (let count = 0; count < MOST_WINDOWS; count += 1) {
      const place = nextOf(this.literals, text.folded, from);
      if (place === undefined) return;
      const origin = text.origin(place);
      yield { from: Math.max(0, origin - REACH), to: origin + REACH };
      from = place + STEP;
    }
  }
}

const nextOf = (literals: readonly string[], folded: string, from: number): number | undefined => {
  const places = literals.map((literal) => folded.indexOf(literal, from)).filter((place) => place >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
};
