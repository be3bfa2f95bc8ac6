import type { PartialDate } from './dates';
import type { DateLiteral, Literal, NumberLiteral } from './literals';

/** The literals of a text, with its years: they complete a date that the text states without its year. */
export interface LiteralText {
  readonly literals: readonly Literal[];
  readonly years: ReadonlySet<number>;
  /** The dimensions of all units in the text. */
  readonly dimensions: ReadonlySet<string>;
}

export const literalText = (literals: readonly Literal[]): LiteralText => ({
  literals,
  years: new Set(
    literals.flatMap((each) => (each.kind === 'date' ? each.dates.flatMap(({ year }) => year ?? []) : [])),
  ),
  dimensions: new Set(literals.flatMap((each) => (each.kind === 'number' ? (each.unit?.dimension ?? []) : []))),
});

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));

/** Whether two numbers can be the same. One without a unit is compared by its value. */
export const isSameNumber = (one: NumberLiteral, other: NumberLiteral, dimensions: ReadonlySet<string>): boolean => {
  const [unit, otherUnit] = [one.unit, other.unit];
  if (unit !== null && otherUnit !== null && unit.dimension !== otherUnit.dimension) return false;
  if (unit !== null && otherUnit === null && !dimensions.has(unit.dimension)) return false;
  const areBoth = unit !== null && otherUnit !== null;
  const [factor, otherFactor] = areBoth ? [unit.factor, otherUnit.factor] : [1, 1];
  return one.values.some((value) => other.values.some((each) => isSame(value * factor, each * otherFactor)));
};

const isSameDate = (one: PartialDate, other: PartialDate, years: ReadonlySet<number>): boolean => {
  if (one.month !== null && one.month !== other.month) return false;
  if (one.day !== null && one.day !== other.day) return false;
  return one.year === null || one.year === other.year || (other.year === null && years.has(one.year));
};

/** Whether a date can be one that the text states. It may be less exact, and its year may stand elsewhere in the text. */
const isStated = (one: DateLiteral, other: DateLiteral, years: ReadonlySet<number>): boolean =>
  one.dates.some((date) => other.dates.some((each) => isSameDate(date, each, years)));

/** Whether a literal of a sentence equals one of the text. */
export const isSameLiteral = (one: Literal, other: Literal, { years, dimensions }: LiteralText): boolean => {
  if (one.kind === 'number') {
    if (other.kind === 'number') return isSameNumber(one, other, dimensions);
    return other.kind === 'ordinal' && one.unit === null && one.values.some((value) => String(value) === other.value);
  }
  if (one.kind === 'date') return other.kind === 'date' && isStated(one, other, years);
  if (other.kind === 'date' || other.kind === 'number')
    return (
      one.kind === 'ordinal' && other.kind === 'number' && other.values.some((value) => String(value) === one.value)
    );
  return one.kind === other.kind && one.value === other.value;
};
