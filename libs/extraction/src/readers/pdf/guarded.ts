import { DamagedFile, ExtractionRefusal } from '../../errors';
import { forgetPdfium } from './pdfium';

/** Runs calls of PDFium. A file that makes a call fail is damaged, and the memory of PDFium is discarded. */
export const guarded = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    // A type error is a bug of this program, not of the file.
    if (error instanceof ExtractionRefusal || error instanceof TypeError) throw error;
    forgetPdfium();
    throw new DamagedFile();
  }
};
