import { dateOf, factOf } from '../../text-builder';
import type { PagedFacts } from '../../reader';
import type { Pdfium } from './pdfium';

const MOST_BYTES = 8_192;
const DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/;
/** Placeholder titles that programs write. */
const NO_TITLE =
  /^(?:untitled|sin título|document\d*|microsoft word - .*|.*\.(?:docx?|odt|pdf|indd|tex|dvi|qxd|pages))$/i;

const entry = (pdfium: Pdfium, document: number, name: string): string => {
  const key = pdfium.allocate(Buffer.from(`${name}\0`, 'latin1'));
  const read = (buffer: number, length: number): number => pdfium.calls.FPDF_GetMetaText(document, key, buffer, length);
  try {
    return pdfium
      .answer(read, MOST_BYTES)
      .toString('utf16le')
      .replace(/(?<!\0)\0+$/, '');
  } finally {
    pdfium.calls.free(key);
  }
};

/** A date as PDF writes it, `D:20240131120000+01'00'`, in ISO 8601 and UTC; null for an invalid date. */
export const dateOfPdf = (value: string): string | null => {
  const found = DATE.exec(value);
  if (found === null) return null;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign = '+', hours, minutes] =
    found;
  return dateOf(`${year}-${month}-${day}T${hour}:${minute}:${second}${sign}${hours ?? '00'}:${minutes ?? '00'}`);
};

/** The facts in the information dictionary. */
export const factsOfPdf = (pdfium: Pdfium, document: number): PagedFacts => {
  const title = factOf(entry(pdfium, document, 'Title'));
  return {
    title: title === null || NO_TITLE.test(title) ? null : title,
    author: factOf(entry(pdfium, document, 'Author')),
    date: dateOfPdf(entry(pdfium, document, 'ModDate')) ?? dateOfPdf(entry(pdfium, document, 'CreationDate')),
    language: null,
  };
};
