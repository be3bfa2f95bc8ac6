/** One token of RTF: a group opens or closes, a control word or symbol with its number, bytes of text. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly number: number | null }
  | { readonly kind: 'text'; readonly bytes: Buffer };

const [BACKSLASH, OPEN, CLOSE, CR, LF, SPACE, QUOTE, HYPHEN] = [0x5c, 0x7b, 0x7d, 0x0d, 0x0a, 0x20, 0x27, 0x2d];
const LONGEST_WORD = 32;
const MOST_DIGITS = 10;

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isSpecial = (byte: number): boolean => [BACKSLASH, OPEN, CLOSE, CR, LF].includes(byte);

/** Splits RTF into tokens in one pass. Never reads beyond its bytes, whatever lengths the file claims. */
export class RtfTokens {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** Undefined at the end. */
  next(): RtfToken | undefined {
    const { bytes } = this;
    while (bytes[this.at] === CR || bytes[this.at] === LF) this.at += 1;
    const byte = bytes[this.at];
    if (byte === undefined) return undefined;
    if (byte === BACKSLASH) return this.control();
    if (byte !== OPEN && byte !== CLOSE) return this.run();
    this.at += 1;
    return { kind: byte === OPEN ? 'open' : 'close' };
  }

  private run(): RtfToken {
    const start = this.at;
    for (let byte = this.bytes[this.at]; byte !== undefined && !isSpecial(byte); byte = this.bytes[this.at])
      this.at += 1;
    return { kind: 'text', bytes: this.bytes.subarray(start, this.at) };
  }

  private control(): RtfToken {
    this.at += 1;
    if (this.bytes[this.at] === QUOTE) return this.hexadecimal();
    if (isLetter(this.bytes[this.at])) return this.word();
    const symbol = this.bytes.toString('latin1', this.at, this.at + 1);
    this.at += 1;
    return { kind: 'word', word: symbol, number: null };
  }

  private hexadecimal(): RtfToken {
    const value = Number.parseInt(this.bytes.toString('latin1', this.at + 1, this.at + 3), 16);
    this.at += 3;
    return { kind: 'text', bytes: Number.isNaN(value) ? Buffer.alloc(0) : Buffer.from([value]) };
  }

  private word(): RtfToken {
    const word = this.take(isLetter, LONGEST_WORD);
    const sign = this.bytes[this.at] === HYPHEN && isDigit(this.bytes[this.at + 1]) ? -1 : 1;
    if (sign < 0) this.at += 1;
    const digits = this.take(isDigit, MOST_DIGITS);
    if (this.bytes[this.at] === SPACE) this.at += 1;
    const number = digits === '' ? null : sign * Number(digits);
    // Arbitrary raw bytes of a picture or an object follow.
    if (word === 'bin' && number !== null) this.at = Math.min(this.bytes.length, this.at + Math.max(0, number));
    return { kind: 'word', word, number };
  }

  private take(belongs: (byte: number | undefined) => boolean, most: number): string {
    const start = this.at;
    while (this.at - start < most && belongs(this.bytes[this.at])) this.at += 1;
    return this.bytes.toString('latin1', start, this.at);
  }
}
