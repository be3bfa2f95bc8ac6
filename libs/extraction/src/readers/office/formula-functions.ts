/** A value of a cell or of a formula; null for an empty cell. */
export type Value = number | string | boolean | null;

/** The arguments of a function: each a list of values, one for a plain value, more for a range. */
type Arguments = readonly (readonly Value[])[];

const numbers = (args: Arguments): number[] => args.flat().filter((value) => typeof value === 'number');
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const filled = (args: Arguments): Value[] => args.flat().filter((value) => value !== null && value !== '');
const single = (args: Arguments, index: number): Value | undefined => args[index]?.[0];
const numberAt = (args: Arguments, index: number, otherwise = 0): number => {
  const value = single(args, index);
  return typeof value === 'number' ? value : otherwise;
};

export const textOf = (value: Value): string => {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : value;
};

const joined = (args: Arguments): string => args.flat().map(textOf).join('');

const rounded = (value: number, places: number): number => {
  const scale = 10 ** Math.trunc(Math.min(15, Math.max(-15, places)));
  return (Math.sign(value) * Math.round(Number((Math.abs(value) * scale).toPrecision(15)))) / scale;
};

/** Aggregates of SUBTOTAL by their numbers, with and without hidden rows. */
const subtotal = (args: Arguments): Value => {
  const name = ['', 'AVERAGE', 'COUNT', 'COUNTA', 'MAX', 'MIN', 'PRODUCT', '', '', 'SUM'][numberAt(args, 0) % 100];
  return functions.get(name ?? '')?.(args.slice(1)) ?? null;
};

const extreme = (pick: (...values: number[]) => number) => (args: Arguments) =>
  numbers(args).reduce<number | null>((best, value) => (best === null ? value : pick(best, value)), null) ?? 0;

/** Functions that are evaluated; all others leave the formula as it stands. null is no result. */
export const functions: ReadonlyMap<string, (args: Arguments) => Value> = new Map<string, (args: Arguments) => Value>([
  ['SUM', (args) => sum(numbers(args))],
  ['AVERAGE', (args) => (numbers(args).length === 0 ? null : sum(numbers(args)) / numbers(args).length)],
  ['MIN', extreme(Math.min)],
  ['MAX', extreme(Math.max)],
  ['COUNT', (args) => numbers(args).length],
  ['COUNTA', (args) => filled(args).length],
  ['PRODUCT', (args) => numbers(args).reduce((product, value) => product * value, 1)],
  ['SUBTOTAL', subtotal],
  ['ROUND', (args) => rounded(numberAt(args, 0), numberAt(args, 1))],
  ['ABS', (args) => Math.abs(numberAt(args, 0))],
  ['INT', (args) => Math.floor(numberAt(args, 0))],
  ['CONCATENATE', joined],
  ['CONCAT', joined],
  ['IF', (args) => (single(args, 0) === true || numberAt(args, 0) !== 0 ? single(args, 1) : single(args, 2)) ?? false],
]);
