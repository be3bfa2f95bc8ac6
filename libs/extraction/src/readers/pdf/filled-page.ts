import type { Pdfium } from './pdfium';

const FREE_TEXT = 3;
const STAMP = 13;
const FIELD = 20;
const BUTTON = 'Btn';
const WITH_TEXT = [FREE_TEXT, STAMP, FIELD];
/** Kinds without a text of their own: links, the windows of notes, and media. */
const WITHOUT_CONTENTS = [2, 16, 17, 18, 19, FIELD];
/** Flags of annotations that are not shown. */
const UNSEEN = 0x02 | 0x20;

const MOST_LOOKED_AT = 1_000;
const MOST_BYTES = 100_000;
/** Result of a flattening that changed the page. */
const FLATTENED = 1;
const AS_SHOWN = 0;

/** An open page, and the texts of its annotations and fields, some of which the page shows itself. */
export interface FilledPage {
  /** 0 if it cannot be opened. */
  readonly page: number;
  readonly notes: readonly string[];
}

/** Reads the annotations of one page. */
class Annotations {
  readonly notes: string[] = [];
  isWritten = false;

  constructor(private readonly pdfium: Pdfium) {}

  read(page: number): void {
    const { calls } = this.pdfium;
    const count = Math.min(calls.FPDFPage_GetAnnotCount(page), MOST_LOOKED_AT);
    for (let index = 0; index < count; index += 1) {
      const annotation = calls.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      this.add(annotation, calls.FPDFAnnot_GetSubtype(annotation));
      calls.FPDFPage_CloseAnnot(annotation);
    }
  }

  private add(annotation: number, subtype: number): void {
    this.isWritten ||= WITH_TEXT.includes(subtype);
    if (subtype !== FIELD && WITHOUT_CONTENTS.includes(subtype)) return;
    if ((this.pdfium.calls.FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0) return;
    // The value of a button is the name of its state; the page shows its mark.
    if (subtype === FIELD && this.textOf(annotation, 'FT') === BUTTON) return;
    const text = this.textOf(annotation, subtype === FIELD ? 'V' : 'Contents').trim();
    if (text !== '') this.notes.push(text);
  }

  private textOf(annotation: number, name: string): string {
    const { pdfium } = this;
    const key = pdfium.allocate(Buffer.from(`${name}\0`, 'latin1'));
    const read = (buffer: number, length: number): number =>
      pdfium.calls.FPDFAnnot_GetStringValue(annotation, key, buffer, length);
    try {
      return pdfium.answer(read, MOST_BYTES).toString('utf16le').replaceAll('\0', '');
    } finally {
      pdfium.calls.free(key);
    }
  }
}

/** Opens a page with filled-in fields and annotations as part of its text. */
export const openPage = (pdfium: Pdfium, document: number, index: number): FilledPage => {
  const { calls } = pdfium;
  const page = calls.FPDF_LoadPage(document, index);
  if (page === 0) return { page, notes: [] };
  const annotations = new Annotations(pdfium);
  annotations.read(page);
  const { notes, isWritten } = annotations;
  if (!isWritten || calls.FPDFPage_Flatten(page, AS_SHOWN) !== FLATTENED) return { page, notes };
  // Flattened content becomes readable only after the page is reopened.
  calls.FPDF_ClosePage(page);
  return { page: calls.FPDF_LoadPage(document, index), notes };
};
