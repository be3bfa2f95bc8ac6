import type { ExtractedText } from '@acervo/analysis';
import { DamagedFile, type ExtractionRefusal, FileTooLarge, PasswordProtected } from '../../errors';
import {
  type AcquiredFile,
  PagedReader,
  type PagedFacts,
  type PagedFile,
  type RawPage,
  type ReadContext,
} from '../../reader';
import { assemblePages } from './assemble';
import { guarded } from './guarded';
import { OpenPdf } from './open-pdf';
import { pdfium } from './pdfium';

/** Results of `FPDF_GetLastError`: a password is required; unknown security handler. */
const PASSWORD_ERRORS = [4, 5];

const refusalFor = (error: number): ExtractionRefusal =>
  PASSWORD_ERRORS.includes(error) ? new PasswordProtected() : new DamagedFile();

/** PDF: pages by PDFium, in reading order; pages without text by the recogniser, if there is one. */
export class PdfReader extends PagedReader {
  readonly name = 'pdf';

  /** @throws PasswordProtected, DamagedFile, FileTooLarge, LimitExceeded */
  async open({ bytes }: AcquiredFile, context: ReadContext): Promise<PagedFile> {
    if (bytes.length > context.limits.fileBytes) throw new FileTooLarge(context.limits.fileBytes);
    const loaded = await pdfium();
    const { calls } = loaded;
    return guarded(() => {
      const memory = loaded.allocate(bytes);
      const document = memory === 0 ? 0 : calls.FPDF_LoadMemDocument(memory, bytes.length, 0);
      try {
        if (document === 0) throw refusalFor(calls.FPDF_GetLastError());
        return new OpenPdf(loaded, document, memory, context);
      } catch (error) {
        if (document !== 0) calls.FPDF_CloseDocument(document);
        calls.free(memory);
        throw error;
      }
    });
  }

  assemble(pages: readonly RawPage[], facts: PagedFacts): ExtractedText {
    return assemblePages(pages, facts);
  }
}
