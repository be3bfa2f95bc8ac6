import { matchAt, type ReadValue, type ValueReader } from './scanner';

/** Digits in groups of three, or in one run; a decimal part. */
const GROUPED = /[-−+]?\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?![\d])(?:[.,]\d{1,6})?(?![\d])/y;
const RUN = /[-−+]?\d{1,15}(?:[.,]\d{1,6})?(?![\d])/y;
const CONTINUES = /[.,'’/:-]?\d/y;
const SPACES = /['’\u00a0\u202f ]/g;
const MARKS = /[.,]/g;

/** Which mark stands before the decimals; undefined where none does. */
const decimalMark = (digits: string, isDecimalLikely: (mark: string) => boolean): string | undefined => {
  const marks = digits.match(MARKS) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return undefined;
  if (marks.some((mark) => mark !== last)) return marks.filter((mark) => mark === last).length === 1 ? last : undefined;
  if (marks.length > 1) return undefined;
  // One mark: three digits behind it are thousands, unless the language writes its decimals so.
  const decimals = digits.length - digits.indexOf(last) - 1;
  return decimals !== 3 || isDecimalLikely(last) ? last : undefined;
};

/** `1.234,50` as `1234.50`. */
const canonical = (written: string, isDecimalLikely: (mark: string) => boolean): string => {
  const isNegative = /^[-−]/.test(written);
  const digits = written.replace(/^[-−+]/, '').replace(SPACES, '');
  const mark = decimalMark(digits, isDecimalLikely);
  const at = mark === undefined ? digits.length : digits.lastIndexOf(mark);
  const whole = digits
    .slice(0, at)
    .replace(MARKS, '')
    .replace(/^0+(?=\d)/, '');
  const decimals = digits.slice(at + 1);
  return `${isNegative ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
};

const digitsAt = (text: string, at: number): string | undefined => {
  const found = matchAt(GROUPED, text, at)?.[0] ?? matchAt(RUN, text, at)?.[0];
  return found === undefined || matchAt(CONTINUES, text, at + found.length) !== undefined ? undefined : found;
};

/** Digits of an amount: a mark before three digits separates thousands, since amounts have two decimals. */
export const amountDigits: ValueReader = (text, at): ReadValue | undefined => {
  const found = digitsAt(text, at);
  return found === undefined ? undefined : { value: canonical(found, () => false), end: at + found.length };
};

const withoutTrailingZeros = (value: string): string => {
  let end = value.length;
  while (value[end - 1] === '0') end -= 1;
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end);
};

/** A number in Spanish or English notation; English and Spanish differ in the mark of their decimals. */
export const readNumber: ValueReader = (text, at, language): ReadValue | undefined => {
  const found = digitsAt(text, at);
  if (found === undefined) return undefined;
  const likely = language === 'en' ? '.' : ',';
  const value = canonical(found, (mark) => mark === likely);
  return { value: value.includes('.') ? withoutTrailingZeros(value) : value, end: at + found.length };
};
