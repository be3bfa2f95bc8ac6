import { datesAt, isYear, numericDates, type PartialDate, weekdayOf } from './dates';
import { ONES, ordinalOf, SCALES, wordsNumberAt } from './number-words';
import { readingsOf } from './numerals';
import type { Token } from './tokens';
import { currencyOf, type Unit, unitAt } from './units';

interface Placed {
  /** Its first token, and the one behind its last. */
  readonly first: number;
  readonly end: number;
}

export interface NumberLiteral extends Placed {
  readonly kind: 'number';
  /** What its digits can mean; one value where they are not ambiguous. */
  readonly values: readonly number[];
  readonly unit: Unit | null;
  /** Whether it is a word for one, which may be an article. */
  readonly isArticle: boolean;
}

export interface DateLiteral extends Placed {
  readonly kind: 'date';
  /** What it can mean; one date where it is not ambiguous. */
  readonly dates: readonly PartialDate[];
}

/** A thing that a sentence must have to the letter: a time, a weekday, a place in an order, an identifier. */
export interface TextLiteral extends Placed {
  readonly kind: 'time' | 'weekday' | 'ordinal' | 'identifier';
  readonly value: string;
}

export type Literal = NumberLiteral | DateLiteral | TextLiteral;

const CLOCK = /^(\d{1,2})[:.](\d{2})(?::\d{2})?$/;
const HALVES = new Set(['am', 'pm']);
const NAMED_TIMES: ReadonlyMap<string, number> = new Map([
  ['noon', 720],
  ['mediodia', 720],
  ['midnight', 0],
  ['medianoche', 0],
]);
const ORDINAL = /^(\d{1,3})(?:\.?[ºª°]|st|nd|rd|th)$/iu;
const HALF = new Set(['mitad', 'half', 'medio', 'media']);
const PARTS: ReadonlyMap<string, number> = new Map([
  ['tercio', 3],
  ['tercios', 3],
  ['third', 3],
  ['thirds', 3],
  ['cuartos', 4],
  ['quarters', 4],
]);
/** `half` is 50 %. */
const PART: Unit = { dimension: 'percent', factor: 100 };
const FILLERS = new Set(['de', 'of']);
const ARTICLES = new Set(['a', 'an']);
/** Two years as one word, the second one whole or by its last digits: `1576-77`, `2023/24`, `1629-1631`. */
const YEARS = /^([12]\d{3})[-/]((?:[12]\d)?\d{2})$/;

/** The years of a word that is two years; empty for other words. */
const yearsOf = (text: string): readonly number[] => {
  const [, first = '', last = ''] = YEARS.exec(text) ?? [];
  const years = [first, `${first.slice(0, first.length - last.length)}${last}`].map(Number);
  return first !== '' && (years[0] ?? 0) < (years[1] ?? 0) ? years : [];
};

/** Reads the literals of one text, from its first token to its last. */
class LiteralReader {
  private readonly words: readonly string[];
  private readonly found: Literal[] = [];

  constructor(private readonly tokens: readonly Token[]) {
    this.words = tokens.map(({ folded }) => folded);
  }

  read(): readonly Literal[] {
    let at = 0;
    while (at < this.tokens.length) {
      const literals = this.literalsAt(at);
      this.found.push(...literals);
      at = Math.max(at + 1, ...literals.map(({ end }) => end));
    }
    return this.found;
  }

  private literalsAt(at: number): readonly Literal[] {
    if (this.tokens[at]?.kind === 'mark') return [];
    const years = yearsOf(this.tokens[at]?.text ?? '');
    if (years.length > 0) return years.map((year) => this.yearWithin(at, year));
    return (
      this.datesFrom(at) ??
      [this.timeAt(at) ?? this.amountAt(at) ?? this.wordAt(at)].filter((each) => each !== undefined)
    );
  }

  /** Dates whose first token is this one: the month may stand some tokens later. */
  private datesFrom(at: number): readonly Literal[] | undefined {
    const { text = '' } = this.tokens[at] ?? {};
    const numeric = numericDates(text);
    if (numeric.length > 0) return [{ kind: 'date', dates: numeric, first: at, end: at + 1 }];
    const isDay = /^\d{1,2}\D{0,3}$/u.test(text) || text === 'primero' || text === 'first';
    for (let month = at; month < at + (isDay ? 9 : 1); month += 1) {
      const found = datesAt(this.tokens, month);
      if (found === undefined) continue;
      if (found.first !== at) return undefined;
      return found.dates.map((date): DateLiteral => ({ kind: 'date', dates: [date], first: at, end: found.end }));
    }
    return undefined;
  }

  private timeAt(at: number): Literal | undefined {
    const word = this.words[at] ?? '';
    const named = NAMED_TIMES.get(word);
    const half = HALVES.has(this.words[at + 1] ?? '') ? this.words[at + 1] : undefined;
    const clock = CLOCK.exec(word);
    const isClock = clock !== null && (word.includes(':') || half !== undefined);
    const hours = isClock ? Number(clock[1]) : half !== undefined && /^\d{1,2}$/.test(word) ? Number(word) : undefined;
    if (named === undefined && hours === undefined) return undefined;
    const shift = half === 'pm' && (hours ?? 0) < 12 ? 12 : half === 'am' && hours === 12 ? -12 : 0;
    const minutes = named ?? ((hours ?? 0) + shift) * 60 + (isClock ? Number(clock[2]) : 0);
    const behind = at + (half === undefined ? 1 : 2);
    const isHour = ['h', 'horas', 'hours', 'hrs'].includes(this.words[behind] ?? '');
    return { kind: 'time', value: String(minutes), first: at, end: isHour ? behind + 1 : behind };
  }

  /** A number with its unit, whose sign may stand before it. */
  private amountAt(at: number): Literal | undefined {
    const before = currencyOf(this.words[at] ?? '');
    const start = before === undefined ? at : at + 1;
    const number = this.numberAt(start);
    if (number === undefined) return undefined;
    const { values, isArticle } = number;
    const { scale, end } = this.scaleAt(number.end);
    const filler = this.words[end] ?? '';
    const isFiller = FILLERS.has(filler) || (ARTICLES.has(filler) && values[0] === 0.5);
    const behind = isFiller && unitAt(this.words, end + 1) !== undefined ? end + 1 : end;
    const after = unitAt(this.words, behind);
    const { text = '' } = this.tokens[start] ?? {};
    if (isYear(text) && before === undefined && after === undefined && scale === 1) return this.year(at, Number(text));
    const isPart = this.partAt(start) !== undefined && after === undefined;
    const unit = before ?? after?.unit ?? (isPart ? PART : null);
    const last = after === undefined ? end : behind + after.length;
    return { kind: 'number', values: values.map((value) => value * scale), unit, isArticle, first: at, end: last };
  }

  private year(at: number, year: number): DateLiteral {
    return { kind: 'date', dates: [{ year, month: null, day: null }], first: at, end: at + 1 };
  }

  /** A year of two, read as it is where it stands alone. */
  private yearWithin(at: number, year: number): Literal {
    if (isYear(String(year))) return this.year(at, year);
    return { kind: 'number', values: [year], unit: null, isArticle: false, first: at, end: at + 1 };
  }

  private scaleAt(at: number): { scale: number; end: number } {
    const scale = SCALES.get(this.words[at] ?? '');
    return scale === undefined ? { scale: 1, end: at } : { scale, end: at + 1 };
  }

  private numberAt(at: number): { values: readonly number[]; isArticle: boolean; end: number } | undefined {
    const token = this.tokens[at];
    if (token?.kind !== 'word') return undefined;
    const values = readingsOf(token.text);
    if (values.length > 0) return { values, isArticle: false, end: at + 1 };
    const part = this.partAt(at);
    if (part !== undefined) return part;
    const words = wordsNumberAt(this.words, at);
    if (words === undefined) return undefined;
    const isArticle = words.length === 1 && ONES.has(token.folded);
    return { values: [words.value], isArticle, end: at + words.length };
  }

  /** A part of a whole: `la mitad`, `two thirds`, `media hora`. */
  private partAt(at: number): { values: readonly number[]; isArticle: boolean; end: number } | undefined {
    const word = this.words[at] ?? '';
    const isBeforeUnit = unitAt(this.words, at + 1) !== undefined;
    if (HALF.has(word) && (isBeforeUnit || !word.startsWith('medi')))
      return { values: [0.5], isArticle: false, end: at + 1 };
    const divisor = PARTS.get(this.words[at + 1] ?? '');
    const count = word === 'a' ? 1 : wordsNumberAt(this.words, at)?.value;
    if (divisor === undefined || count === undefined || count >= divisor) return undefined;
    return { values: [count / divisor], isArticle: false, end: at + 2 };
  }

  private wordAt(at: number): Literal | undefined {
    const { text = '', folded = '' } = this.tokens[at] ?? {};
    const place = { first: at, end: at + 1 };
    const weekday = weekdayOf(folded);
    if (weekday !== undefined) return { kind: 'weekday', value: String(weekday), ...place };
    const ordinal = ordinalOf(folded) ?? ORDINAL.exec(text)?.[1];
    if (ordinal !== undefined) return { kind: 'ordinal', value: String(ordinal), ...place };
    if (!/\p{N}/u.test(text)) return undefined;
    return { kind: 'identifier', value: folded.replace(/[^\p{L}\p{N}]/gu, ''), ...place };
  }
}

const RANGES = new Set(['y', 'and', 'a', 'to', 'o', 'or', '-', '–', 'e', 'u']);

/** In `entre 2 y 5 grados` the first number has the unit of the second one. */
const withSharedUnits = (literals: readonly Literal[], tokens: readonly Token[]): readonly Literal[] =>
  literals.map((literal, index) => {
    const next = literals[index + 1];
    if (literal.kind !== 'number' || literal.unit !== null || next?.kind !== 'number' || next.unit === null)
      return literal;
    const isRange = next.first === literal.end + 1 && RANGES.has(tokens[literal.end]?.folded ?? '');
    return isRange ? { ...literal, unit: next.unit } : literal;
  });

/** The numbers, dates, times and identifiers of a text, in order. */
export const literalsOf = (tokens: readonly Token[]): readonly Literal[] =>
  withSharedUnits(new LiteralReader(tokens).read(), tokens);
