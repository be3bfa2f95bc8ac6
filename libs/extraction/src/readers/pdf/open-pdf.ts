import { LimitExceeded } from '../../errors';
import type {
  Attachment,
  Bookmark,
  PagedFacts,
  PagedFile,
  PictureOfText,
  RawLine,
  RawPage,
  ReadContext,
} from '../../reader';
import { bookmarksOf } from './bookmarks';
import { openPage } from './filled-page';
import { guarded } from './guarded';
import { isIllegible } from './legibility';
import { unplacedLines, withNotes } from './note-lines';
import { linesOf } from './page-lines';
import { type Drawn, drawnOn, pictureOf } from './page-picture';
import { attachmentsOfPdf } from './pdf-attachments';
import { factsOfPdf } from './pdf-facts';
import type { Pdfium } from './pdfium';
import { recognise } from './recognised-lines';
import { SegmentReader } from './segment-reader';
import { linesOfForm } from './xfa-packets';

/** A page below this amount of text that is mostly an image counts as a scan with a stamp. */
const FEW_LETTERS = 80;
const MOSTLY_IMAGE = 0.5;

const lettersIn = (lines: readonly RawLine[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);

const isScan = (lines: readonly RawLine[], { imageShare, mayShowText }: Drawn): boolean =>
  lines.length === 0 ? mayShowText : imageShare > MOSTLY_IMAGE;

interface Seen {
  readonly lines: RawLine[];
  readonly picture: PictureOfText | null;
  readonly isIllegible: boolean;
  readonly notes: readonly string[];
}

/** A PDF that PDFium has opened. One page is in memory at a time. */
export class OpenPdf implements PagedFile {
  readonly pageCount: number;
  readonly facts: PagedFacts;
  readonly attachments: readonly Attachment[];
  /** What a form shows that is built for display, in place of the page that asks for another program. */
  private readonly form: readonly string[];
  private readonly bookmarks: ReadonlyMap<number, readonly Bookmark[]>;
  private characters = 0;
  private isOpen = true;

  /** @param memory with the bytes of the file while it is open. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly document: number,
    private readonly memory: number,
    private readonly context: ReadContext,
  ) {
    this.pageCount = pdfium.calls.FPDF_GetPageCount(document);
    if (this.pageCount > context.limits.pages) throw new LimitExceeded('pages', context.limits.pages);
    this.facts = factsOfPdf(pdfium, document);
    this.form = linesOfForm(pdfium, document, context.limits);
    this.bookmarks = bookmarksOf(pdfium, document);
    this.attachments = attachmentsOfPdf(pdfium, document, context.limits);
  }

  async page(number: number): Promise<RawPage> {
    const {
      lines,
      picture,
      isIllegible: illegible,
      notes,
    } = number === 1 && this.form.length > 0 ? this.seeForm() : guarded(() => this.see(number));
    const { recogniser, limits } = this.context;
    const recognised = recogniser !== null && picture !== null ? await recognise(recogniser, picture) : [];
    const best = illegible || lettersIn(recognised) > lettersIn(lines) ? recognised : lines;
    const all = withNotes(best, notes);
    this.characters += lettersIn(all);
    if (this.characters > limits.characters) throw new LimitExceeded('characters of text', limits.characters);
    const bookmarks = this.bookmarks.get(number - 1);
    const isUnreadable = illegible && all.length === 0;
    return {
      number,
      lines: all,
      ...(isUnreadable ? { isUnreadable } : {}),
      ...(bookmarks === undefined ? {} : { bookmarks }),
    };
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    try {
      guarded(() => {
        this.pdfium.calls.FPDF_CloseDocument(this.document);
        this.pdfium.calls.free(this.memory);
      });
    } catch {
      // The memory of the file was discarded together with its PDFium.
    }
  }

  private seeForm(): Seen {
    return { lines: unplacedLines(this.form), picture: null, isIllegible: false, notes: [] };
  }

  /** The content of a page; a page that cannot be opened has none. */
  private see(number: number): Seen {
    const { calls } = this.pdfium;
    const { page, notes } = openPage(this.pdfium, this.document, number - 1);
    if (page === 0) return { lines: [], picture: null, isIllegible: false, notes };
    try {
      const { lines, unnamedShare } = this.textOn(page);
      const illegible = isIllegible(lines, unnamedShare);
      return { lines, picture: this.picture(page, lines, illegible), isIllegible: illegible, notes };
    } finally {
      calls.FPDF_ClosePage(page);
    }
  }

  private textOn(page: number): { lines: RawLine[]; unnamedShare: number } {
    const { calls } = this.pdfium;
    const text = calls.FPDFText_LoadPage(page);
    if (text === 0) return { lines: [], unnamedShare: 0 };
    try {
      const reader = new SegmentReader(this.pdfium, page, text);
      const lines = linesOf(reader.read());
      return { lines, unnamedShare: reader.unnamedShare };
    } finally {
      calls.FPDFText_ClosePage(text);
    }
  }

  private picture(page: number, lines: readonly RawLine[], illegible: boolean): PictureOfText | null {
    if (this.context.recogniser === null) return null;
    if (illegible) return pictureOf(this.pdfium, page, this.context.limits);
    if (lettersIn(lines) > FEW_LETTERS) return null;
    return isScan(lines, drawnOn(this.pdfium, page)) ? pictureOf(this.pdfium, page, this.context.limits) : null;
  }
}
