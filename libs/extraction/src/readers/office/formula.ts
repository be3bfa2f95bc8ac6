import { functions, textOf, type Value } from './formula-functions';
import { type Token, tokensOf } from './formula-tokens';

/** Looks up the value of a cell, or the values of a range; undefined where there is no result. */
export type Lookup = (sheet: string | null, from: string, to: string | null) => readonly Value[] | undefined;

/** Signs of two operands by their precedence, the weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['=', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];
const MOST_DEPTH = 60;

/** The formula is beyond simple arithmetic. */
class NotSimple extends Error {}

const figure = (value: Value): number => {
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'number' ? value : value.trim() === '' ? NaN : Number(value);
  if (!Number.isFinite(number)) throw new NotSimple();
  return number;
};

const compare = (sign: string, left: Value, right: Value): boolean => {
  const [one, other] =
    typeof left === 'string' || typeof right === 'string'
      ? [textOf(left).toLowerCase(), textOf(right).toLowerCase()]
      : [figure(left), figure(right)];
  if (sign === '=') return one === other;
  if (sign === '<>') return one !== other;
  if (sign === '<') return one < other;
  if (sign === '>') return one > other;
  return sign === '<=' ? one <= other : one >= other;
};

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '^': (left, right) => left ** right,
};

const apply = (sign: string, left: Value, right: Value): Value => {
  if (sign === '&') return textOf(left) + textOf(right);
  const operation = arithmetic[sign];
  return operation === undefined ? compare(sign, left, right) : operation(figure(left), figure(right));
};

/** Evaluates a formula by recursive descent. */
class Evaluation {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly lookup: Lookup,
  ) {}

  whole(): Value {
    const value = this.binary(0);
    if (this.at < this.tokens.length) throw new NotSimple();
    return value;
  }

  private isSign(...signs: string[]): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'sign' && signs.includes(token.value);
  }

  private takeSign(...signs: string[]): string | null {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || !signs.includes(token.value)) return null;
    this.at += 1;
    return token.value;
  }

  private binary(level: number): Value {
    const signs = LEVELS[level];
    if (signs === undefined) return this.signed();
    let left = this.binary(level + 1);
    for (let sign = this.takeSign(...signs); sign !== null; sign = this.takeSign(...signs))
      left = apply(sign, left, this.binary(level + 1));
    return left;
  }

  private signed(): Value {
    if ((this.depth += 1) > MOST_DEPTH) throw new NotSimple();
    const sign = this.takeSign('-', '+');
    let value = sign === null ? this.operand() : this.signed();
    if (sign === '-') value = -figure(value);
    while (this.takeSign('%') !== null) value = figure(value) / 100;
    this.depth -= 1;
    return value;
  }

  private operand(): Value {
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === 'number' || token?.kind === 'text') return token.value;
    if (token?.kind === 'cell') return this.only(this.range(token));
    if (token?.kind === 'name') return this.named(token.value);
    if (token?.kind !== 'sign' || token.value !== '(') throw new NotSimple();
    const value = this.binary(0);
    if (this.takeSign(')') === null) throw new NotSimple();
    return value;
  }

  private only(values: readonly Value[]): Value {
    if (values.length !== 1) throw new NotSimple();
    return values[0] ?? null;
  }

  private range({ sheet, from, to }: Extract<Token, { kind: 'cell' }>): readonly Value[] {
    const values = this.lookup(sheet, from, to);
    if (values === undefined) throw new NotSimple();
    return values;
  }

  private named(name: string): Value {
    if (name === 'TRUE' || name === 'FALSE') {
      if (this.takeSign('(') !== null && this.takeSign(')') === null) throw new NotSimple();
      return name === 'TRUE';
    }
    const evaluated = functions.get(name);
    if (evaluated === undefined || this.takeSign('(') === null) throw new NotSimple();
    const result = evaluated(this.args());
    if (result === null) throw new NotSimple();
    return result;
  }

  private args(): (readonly Value[])[] {
    const args: (readonly Value[])[] = [];
    if (this.takeSign(')') !== null) return args;
    do args.push(this.argument());
    while (this.takeSign(',', ';') !== null);
    if (this.takeSign(')') === null) throw new NotSimple();
    return args;
  }

  /** A range alone is a list of values; everything else is one value. */
  private argument(): readonly Value[] {
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === 'cell' && this.isSign(',', ';', ')')) return this.range(token);
    this.at -= 1;
    return [this.binary(0)];
  }
}

/** The value of a formula of simple arithmetic and aggregates; undefined for every other one. */
export const evaluate = (formula: string, lookup: Lookup): Value | undefined => {
  const tokens = tokensOf(formula);
  if (tokens === null) return undefined;
  try {
    const value = new Evaluation(tokens, lookup).whole();
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
};
