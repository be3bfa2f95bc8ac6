import { fold } from '@acervo/analysis';
import { wordsNumber } from './number-words';
import { amountDigits } from './numbers';
import { withScale } from './scales';
import { matchAt, type ReadValue, type ValueReader } from './scanner';

/** Names and signs of currencies, in their comparable form. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  us$: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  dolar: 'USD',
  dolares: 'USD',
  '£': 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  libra: 'GBP',
  libras: 'GBP',
  '¥': 'JPY',
  yen: 'JPY',
  yenes: 'JPY',
  ...Object.fromEntries(
    [
      'EUR',
      'USD',
      'GBP',
      'CHF',
      'JPY',
      'MXN',
      'ARS',
      'COP',
      'CLP',
      'PEN',
      'BRL',
      'CAD',
      'AUD',
      'SEK',
      'NOK',
      'DKK',
      'PLN',
    ].map((code) => [code.toLowerCase(), code]),
  ),
};
const NAME = /(?:US\$|[€$£¥]|\p{L}{3,7}(?!\p{L}))/uy;
const GAP = /[ \u00a0\u202f]{0,2}/y;
const BEFORE = /(?:US\$|[€$£¥]|\p{L}{3})[ \u00a0\u202f]{0,2}$/u;
/** Characters around a value in which its currency stands. */
const NEAR = 6;

const currencyAt = (text: string, at: number): ReadValue | undefined => {
  const found = matchAt(NAME, text, at)?.[0];
  const code = found === undefined ? undefined : CURRENCIES[found.length === 1 ? found : fold(found)];
  return code === undefined || found === undefined ? undefined : { value: code, end: at + found.length };
};

const afterGap = (text: string, at: number): number => at + (matchAt(GAP, text, at)?.[0].length ?? 0);

const withDecimals = (digits: string): string => {
  const [whole = '', decimals = ''] = digits.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
};

const scaledDigits: ValueReader = (text, at, language) => {
  const digits = amountDigits(text, at, language);
  return digits === undefined ? undefined : withScale(text, digits);
};

const valueAt: ValueReader = (text, at, language) => scaledDigits(text, at, language) ?? wordsNumber(text, at);

/** An amount with its currency: `1.234,50 €`, `EUR 1,234.50`, `mil doscientos euros` as `1234.50 EUR`. */
export const readAmount: ValueReader = (text, at, language): ReadValue | undefined => {
  const sign = /^[-−]/.test(text[at] ?? '') ? '-' : '';
  const before = currencyAt(text, at + sign.length);
  if (before !== undefined) {
    const amount = scaledDigits(text, afterGap(text, before.end), language);
    return amount === undefined
      ? undefined
      : { value: `${sign}${withDecimals(amount.value)} ${before.value}`, end: amount.end };
  }
  const amount = valueAt(text, at, language);
  if (amount === undefined) return undefined;
  const of = matchAt(/ de (?=euros?|d[oó]lares)/iy, text, amount.end)?.[0].length ?? 0;
  const after = currencyAt(text, of > 0 ? amount.end + of : afterGap(text, amount.end));
  return after === undefined ? undefined : { value: `${withDecimals(amount.value)} ${after.value}`, end: after.end };
};

/** The digits of an amount whose currency stands beside them; without one, the decimal alone. */
export const readBareAmount: ValueReader = (text, at, language): ReadValue | undefined => {
  const amount = valueAt(text, at, language);
  if (amount === undefined) return undefined;
  const before = BEFORE.exec(text.slice(Math.max(0, at - NEAR), at))?.[0].trim() ?? '';
  const code = currencyAt(text, afterGap(text, amount.end))?.value ?? currencyAt(before, 0)?.value;
  return { value: withDecimals(amount.value) + (code === undefined ? '' : ` ${code}`), end: amount.end };
};
