const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes as a number to the base of 62, filled up to `length` digits. */
export const toBase62 = (bytes: Uint8Array, length: number): string => {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = (DIGITS[Number(value % 62n)] ?? '') + text;
    value /= 62n;
  }
  return text;
};

/** The bytes of a number to the base of 62; undefined when it has other digits or does not fit. */
export const fromBase62 = (text: string, length: number): Buffer | undefined => {
  let value = 0n;
  for (const digit of text) {
    const place = DIGITS.indexOf(digit);
    if (place < 0) return undefined;
    value = value * 62n + BigInt(place);
  }
  const hex = value.toString(16).padStart(length * 2, '0');
  return hex.length > length * 2 ? undefined : Buffer.from(hex, 'hex');
};
