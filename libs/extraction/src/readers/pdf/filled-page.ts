import type { Pdfium } from './pdfium';

const FREE_TEXT = 3;
const STAMP = 13;
const FIELD = 20;
const WITH_TEXT = [FREE_TEXT, STAMP, FIELD];

const MOST_LOOKED_AT = 1_000;
/** Result of a flattening that changed the page. */
const FLATTENED = 1;
const AS_SHOWN = 0;

const isWritten = (pdfium: Pdfium, page: number, index: number): boolean => {
  const { calls } = pdfium;
  const note = calls.FPDFPage_GetAnnot(page, index);
  if (note === 0) return false;
  const subtype = calls.FPDFAnnot_GetSubtype(note);
  calls.FPDFPage_CloseAnnot(note);
  return WITH_TEXT.includes(subtype);
};

/** Opens a page with filled-in fields and annotations as part of its text. Returns 0 if it cannot be opened. */
export const openPage = (pdfium: Pdfium, document: number, index: number): number => {
  const { calls } = pdfium;
  const page = calls.FPDF_LoadPage(document, index);
  const notes = page === 0 ? 0 : Math.min(calls.FPDFPage_GetAnnotCount(page), MOST_LOOKED_AT);
  for (let note = 0; note < notes; note += 1) {
    if (!isWritten(pdfium, page, note)) continue;
    if (calls.FPDFPage_Flatten(page, AS_SHOWN) !== FLATTENED) return page;
    // Flattened content becomes readable only after the page is reopened.
    calls.FPDF_ClosePage(page);
    return calls.FPDF_LoadPage(document, index);
  }
  return page;
};
