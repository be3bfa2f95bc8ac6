import iconv from 'iconv-lite';

/** The text between control words: its bytes wait for the ones after them, since two may make one character. */
export class RtfText {
  private pending: Buffer[] = [];
  /** Characters to come that stand for a Unicode one, for readers that do not know it. */
  private replaced = 0;

  take(bytes: Buffer): void {
    const skipped = Math.min(this.replaced, bytes.length);
    this.replaced -= skipped;
    this.pending.push(bytes.subarray(skipped));
  }

  replaceNext(characters: number): void {
    this.replaced = characters;
  }

  /** Whether a control word stands for a Unicode character, as one character does. */
  replacesWord(): boolean {
    if (this.replaced === 0) return false;
    this.replaced -= 1;
    return true;
  }

  /** What waits, in the encoding that its bytes are in. */
  flush(encoding: string): string {
    if (this.pending.length === 0) return '';
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    return iconv.decode(bytes, encoding);
  }
}
