import iconv from 'iconv-lite';

/** The text between control words. Its bytes are buffered, since two may form one character. */
export class RtfText {
  private pending: Buffer[] = [];
  /** Number of upcoming fallback characters for a Unicode character. */
  private replaced = 0;

  take(bytes: Buffer): void {
    const skipped = Math.min(this.replaced, bytes.length);
    this.replaced -= skipped;
    this.pending.push(bytes.subarray(skipped));
  }

  replaceNext(characters: number): void {
    this.replaced = characters;
  }

  /** Whether a control word is the fallback of a Unicode character. It counts as one character. */
  replacesWord(): boolean {
    if (this.replaced === 0) return false;
    this.replaced -= 1;
    return true;
  }

  /** Decodes the buffered bytes in their encoding. */
  flush(encoding: string): string {
    if (this.pending.length === 0) return '';
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    return iconv.decode(bytes, encoding);
  }
}
