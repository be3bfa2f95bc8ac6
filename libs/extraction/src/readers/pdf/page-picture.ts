import { LimitExceeded } from '../../errors';
import type { PictureOfText, ReadLimits } from '../../reader';
import { pngOf } from '../images/png';
import type { Pdfium } from './pdfium';

const POINTS_AN_INCH = 72;
const DOTS_AN_INCH = 300;
/** Below this resolution, letters of ordinary size are unreadable. */
const LEAST_DOTS = 60;

const GREY = 1;
const WITH_NOTES_IN_GREY = 0x01 | 0x08;
const WHITE = 0xffffffff;

const IMAGE = 3;
const FORM = 5;
const MOST_OBJECTS = 2_000;
/** Minimum number of paths that may be letters drawn as outlines. */
const OUTLINES = 40;

/** The content of a page besides its text. */
export interface Drawn {
  /** Share of the page that images cover; above 1 if they overlap. */
  readonly imageShare: number;
  /** Whether the drawing may contain letters. */
  readonly mayShowText: boolean;
}

/** Inspects the drawn objects of a page, without rendering it. */
export const drawnOn = (pdfium: Pdfium, page: number): Drawn => {
  const { calls, scratch } = pdfium;
  const area = calls.FPDF_GetPageWidthF(page) * calls.FPDF_GetPageHeightF(page);
  const count = Math.min(calls.FPDFPage_CountObjects(page), MOST_OBJECTS);
  let imageShare = 0;
  let hasForm = false;
  for (let index = 0; index < count; index += 1) {
    const object = calls.FPDFPage_GetObject(page, index);
    const type = calls.FPDFPageObj_GetType(object);
    hasForm ||= type === FORM;
    if (type !== IMAGE || calls.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0)
      continue;
    imageShare += ((pdfium.float(8) - pdfium.float(0)) * (pdfium.float(12) - pdfium.float(4))) / Math.max(1, area);
  }
  return { imageShare, mayShowText: imageShare > 0 || hasForm || count > OUTLINES };
};

/**
 * Renders a page for recognition.
 * @throws LimitExceeded if the pixel limit leaves it unreadable
 */
export const pictureOf = (pdfium: Pdfium, page: number, { pixels: most }: ReadLimits): PictureOfText => {
  const { calls } = pdfium;
  const inches = [calls.FPDF_GetPageWidthF(page) / POINTS_AN_INCH, calls.FPDF_GetPageHeightF(page) / POINTS_AN_INCH];
  const [wide = 1, high = 1] = inches.map((extent) => Math.max(extent, 0.01));
  const dotsPerInch = Math.floor(Math.min(DOTS_AN_INCH, Math.sqrt(most / (wide * high))));
  if (dotsPerInch < LEAST_DOTS) throw new LimitExceeded('pixels', most);
  const [width, height] = [Math.ceil(wide * dotsPerInch), Math.ceil(high * dotsPerInch)];
  const bitmap = calls.FPDFBitmap_CreateEx(width, height, GREY, 0, 0);
  if (bitmap === 0) throw new LimitExceeded('pixels', most);
  try {
    calls.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    calls.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_NOTES_IN_GREY);
    const stride = calls.FPDFBitmap_GetStride(bitmap);
    const pixels = pdfium.bytes(calls.FPDFBitmap_GetBuffer(bitmap), stride * height);
    return { bytes: pngOf({ width, height, pixels, stride }, dotsPerInch), kind: 'png', dotsPerInch };
  } finally {
    calls.FPDFBitmap_Destroy(bitmap);
  }
};
