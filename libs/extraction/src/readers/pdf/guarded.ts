import { DamagedFile, ExtractionRefusal } from '../../errors';
import { forgetPdfium } from './pdfium';

/** Runs calls of PDFium. A file that makes it fail in the middle of one is damaged, and its memory is not used again. */
export const guarded = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    // A type error is a fault of ours, not of the file.
    if (error instanceof ExtractionRefusal || error instanceof TypeError) throw error;
    forgetPdfium();
    throw new DamagedFile();
  }
};
