import { matchAt, type ReadValue } from './scanner';

/** Words behind the digits of an amount, with the power of ten that each stands for. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/[ \u00a0\u202f]mil millones(?!\p{L})/iuy, 9],
  [/[ \u00a0\u202f]bill(?:[oó]n|ones)(?!\p{L})/iuy, 12],
  [/[ \u00a0\u202f]billions?(?!\p{L})|bn(?!\p{L})/iuy, 9],
  [/[ \u00a0\u202f]mill(?:[oó]n|ones|ions?)(?!\p{L})|m(?![\p{L}\p{N}])/iuy, 6],
  [/[ \u00a0\u202f](?:mil|thousand)(?!\p{L})|k(?![\p{L}\p{N}])/iuy, 3],
];

const shifted = (digits: string, power: number): string => {
  const [whole = '', decimals = ''] = digits.split('.');
  const all = whole + decimals.padEnd(power, '0');
  const at = whole.length + power;
  const rest = all.slice(at);
  return all.slice(0, at).replace(/^(-?)0+(?=\d)/, '$1') + (rest === '' ? '' : `.${rest}`);
};

/** An amount with the scale behind it: `1.3m` and `1,3 millones` as `1300000`. */
export const withScale = (text: string, amount: ReadValue): ReadValue => {
  for (const [word, power] of WORDS) {
    const found = matchAt(word, text, amount.end)?.[0];
    if (found !== undefined) return { value: shifted(amount.value, power), end: amount.end + found.length };
  }
  return amount;
};
