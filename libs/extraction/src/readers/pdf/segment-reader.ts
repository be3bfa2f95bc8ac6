import type { Pdfium } from './pdfium';
import { SegmentDraft } from './segment-draft';
import type { Layer, Segment } from './segments';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const QUARTER = Math.PI / 2;
/** Text that deviates more than this from its direction is a stamp; less is a slanted font. */
const MOST_LEAN = 0.45;
const HYPHEN = 0x2d;
/** PDFium writes the first two where it removed a line end with a hyphen. */
const isHyphenMark = (code: number): boolean => code === 2 || code === 0xfffe || code === 0xad || code === 0x2010;

const SHORTEST_BOLD = 4;
/** Names of bold fonts, including those of scientific typesetting systems. */
const BOLD = /bold|black|heavy|demi|(?:CM|SF|EC)(?:SS)?BX/i;

/** Rotates a box of the page, whose second axis points up, for text with this many quarter turns. */
const lay = (quarter: number, left: number, top: number, right: number, bottom: number): Box => {
  if (quarter === 1) return { left: -top, right: -bottom, top: -right, bottom: -left };
  if (quarter === 2) return { left: -right, right: -left, top: bottom, bottom: top };
  if (quarter === 3) return { left: bottom, right: top, top: left, bottom: right };
  return { left, right, top: -top, bottom: -bottom };
};

const baseOf = (quarter: number, x: number, y: number): number => {
  if (quarter === 0) return -y;
  if (quarter === 1) return -x;
  return quarter === 2 ? y : x;
};

const quarterOf = (angle: number): number => {
  if (angle === 0) return 0;
  const quarter = Math.round(angle / QUARTER);
  return Math.abs(angle - quarter * QUARTER) > MOST_LEAN ? 0 : quarter % 4;
};

const isSpace = (code: number): boolean =>
  code === 32 || code === 9 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b);

/** Reads the characters of an open text page into segments, one layer for each direction of text, the fullest first. */
export class SegmentReader {
  private readonly layers: Segment[][] = [[], [], [], []];
  private draft: SegmentDraft | null = null;
  private quarter = 0;
  private fontSize = 0;
  private extent = 0;
  private size = 0;
  private letters = 0;
  private unnamed = 0;

  constructor(
    private readonly pdfium: Pdfium,
    private readonly page: number,
    private readonly text: number,
  ) {}

  read(): Layer[] {
    const count = this.pdfium.calls.FPDFText_CountChars(this.text);
    for (let index = 0; index < count; index += 1) this.take(index);
    this.close();
    const { left, top, right, bottom } = this.pageBox();
    return this.layers
      .map((segments, quarter) => {
        const box = lay(quarter, left, top, right, bottom);
        return { segments, left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top };
      })
      .filter(({ segments }) => segments.length > 0)
      .sort((one, other) => other.segments.length - one.segments.length);
  }

  /** Share of the letters that their font does not name; a segment counts by its first letter. */
  get unnamedShare(): number {
    return this.letters === 0 ? 0 : this.unnamed / this.letters;
  }

  private take(index: number): void {
    const code = this.pdfium.calls.FPDFText_GetUnicode(this.text, index);
    if (isSpace(code)) this.draft?.space();
    else if (code === 13 || code === 10) this.close();
    else if (isHyphenMark(code)) this.add(index, HYPHEN);
    else if (code >= 32 && code !== 127 && code <= 0x10ffff) this.add(index, code);
  }

  private add(index: number, code: number): void {
    const { pdfium } = this;
    const { calls, scratch } = pdfium;
    calls.FPDFText_GetLooseCharBox(this.text, index, scratch);
    calls.FPDFText_GetCharOrigin(this.text, index, scratch + 16, scratch + 24);
    const quarter = quarterOf(calls.FPDFText_GetCharAngle(this.text, index));
    const box = lay(quarter, pdfium.float(0), pdfium.float(4), pdfium.float(8), pdfium.float(12));
    const base = baseOf(quarter, pdfium.double(16), pdfium.double(24));
    this.measure(index, box.bottom - box.top);
    const letter = { code, left: box.left, right: box.right, base, size: this.size };
    let { draft } = this;
    if (draft === null || quarter !== this.quarter || !draft.takes(letter)) {
      this.close();
      this.quarter = quarter;
      draft = new SegmentDraft(index);
      this.draft = draft;
    }
    draft.add(letter);
  }

  /** The drawn letter size; queried again only after a change of the letters. */
  private measure(index: number, extent: number): void {
    const { calls, scratch } = this.pdfium;
    const fontSize = calls.FPDFText_GetFontSize(this.text, index);
    if (fontSize === this.fontSize && extent === this.extent) return;
    this.fontSize = fontSize;
    this.extent = extent;
    calls.FPDFText_GetMatrix(this.text, index, scratch + 32);
    const scaled = fontSize * Math.hypot(this.pdfium.float(40), this.pdfium.float(44));
    this.size = Number.isFinite(scaled) && scaled > 0 ? scaled : Math.max(1, extent);
  }

  private close(): void {
    const { draft } = this;
    this.draft = null;
    if (draft === null) return;
    this.letters += draft.length;
    if (this.pdfium.calls.FPDFText_HasUnicodeMapError(this.text, draft.firstIndex) === 1) this.unnamed += draft.length;
    this.layers[this.quarter]?.push(draft.finish(draft.length >= SHORTEST_BOLD && this.isBold(draft.firstIndex + 1)));
  }

  private isBold(index: number): boolean {
    const { calls, scratch } = this.pdfium;
    const length = calls.FPDFText_GetFontInfo(this.text, index, scratch + 8, 56, scratch);
    if (length > 1 && length <= 56) return BOLD.test(this.pdfium.bytes(scratch + 8, length - 1).toString('latin1'));
    return false;
  }

  /** The rectangle that the last call wrote to the scratch memory. */
  private corners(): Box {
    const { pdfium } = this;
    return { left: pdfium.float(0), top: pdfium.float(4), right: pdfium.float(8), bottom: pdfium.float(12) };
  }

  private pageBox(): Box {
    const { calls, scratch } = this.pdfium;
    const isKnown = calls.FPDF_GetPageBoundingBox(this.page, scratch) !== 0;
    const box = this.corners();
    if (isKnown && box.right > box.left && box.top > box.bottom) return box;
    return {
      left: 0,
      top: calls.FPDF_GetPageHeightF(this.page),
      right: calls.FPDF_GetPageWidthF(this.page),
      bottom: 0,
    };
  }
}
