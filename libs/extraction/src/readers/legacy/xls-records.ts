import { runningLinesOf } from '../office';

/** Records of a workbook of Excel 97 to 2003. */
const [BEGIN, END, CONTINUED] = [0x0809, 0x000a, 0x003c];
const [SHEET, HEADER, FOOTER] = [0x0085, 0x0014, 0x0015];
const [OBJECT, BOX, CHART_TEXT] = [0x005d, 0x01b6, 0x100d];
const EXCEL_97 = 0x0600;
/** Kind of the object of a comment, which the library reads. */
const COMMENT = 0x19;
const HEAD = 4;
const IS_WIDE = 1;

/** What a sheet shows beside its cells. */
export interface SheetTexts {
  readonly running: Set<string>;
  /** Texts of boxes, titles and names of charts. */
  readonly shown: Set<string>;
}

const lettersOf = (bytes: Buffer, flags: number, most: number): string =>
  (flags & IS_WIDE) === 0
    ? bytes.toString('latin1', 0, most)
    : bytes.subarray(0, Math.min(most * 2, bytes.length & ~1)).toString('utf16le');

/** Walks through the records of a workbook once. */
class Records {
  readonly sheets = new Map<string, SheetTexts>();
  private readonly names = new Map<number, string>();
  private depth = 0;
  private sheet: SheetTexts | null = null;
  private object = 0;
  /** Letters of the box in progress that further records hold. */
  private missing = 0;
  private box = '';

  read(stream: Buffer): void {
    for (let at = 0; at + HEAD <= stream.length;) {
      const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
      this.take(type, stream.subarray(at + HEAD, at + HEAD + length), at);
      at += HEAD + length;
    }
  }

  private take(type: number, body: Buffer, at: number): void {
    if (type === CONTINUED) return this.continueBox(body);
    this.missing = 0;
    if (type === BEGIN) this.begin(at);
    else if (type === END) this.depth = Math.max(0, this.depth - 1);
    else if (type === SHEET && body.length > 8)
      this.names.set(body.readUInt32LE(0), lettersOf(body.subarray(8), body[7] ?? 0, body[6] ?? 0));
    else if (type === OBJECT && body.length >= 6) this.object = body.readUInt16LE(4);
    else if (type === BOX && body.length >= 12) this.beginBox(body.readUInt16LE(10));
    else if (type === CHART_TEXT && body.length > 4) this.show(lettersOf(body.subarray(4), body[3] ?? 0, body[2] ?? 0));
    else if ((type === HEADER || type === FOOTER) && this.depth === 1 && body.length > 3)
      for (const line of runningLinesOf(lettersOf(body.subarray(3), body[2] ?? 0, body.readUInt16LE(0))))
        this.sheet?.running.add(line);
  }

  private begin(at: number): void {
    this.depth += 1;
    if (this.depth > 1) return;
    const name = this.names.get(at);
    this.sheet = name === undefined ? null : { running: new Set(), shown: new Set() };
    if (name !== undefined && this.sheet !== null) this.sheets.set(name, this.sheet);
  }

  private beginBox(letters: number): void {
    this.box = '';
    this.missing = this.object === COMMENT ? 0 : letters;
    this.object = 0;
  }

  private continueBox(body: Buffer): void {
    if (this.missing === 0 || body.length === 0) return;
    const text = lettersOf(body.subarray(1), body[0] ?? 0, this.missing);
    this.box += text;
    this.missing -= text.length;
    if (this.missing <= 0) this.show(this.box);
  }

  private show(text: string): void {
    const shown = text.replaceAll('\r', '\n').trim();
    if (shown !== '') this.sheet?.shown.add(shown);
  }
}

/** Running headers, text boxes and names in charts by the sheet that shows them; empty before Excel 97. */
export const textsOfSheets = (stream: Buffer | undefined): ReadonlyMap<string, SheetTexts> => {
  const records = new Records();
  const isKnown = stream !== undefined && stream.length > 8 && stream.readUInt16LE(HEAD) === EXCEL_97;
  if (isKnown) records.read(stream);
  return records.sheets;
};
