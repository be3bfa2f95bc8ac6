import type { Bookmark } from '../../reader';
import { oneLine } from '../../text-builder';
import type { Pdfium } from './pdfium';

const MOST_BOOKMARKS = 5_000;
const LOWEST = 6;
const MOST_TITLE_BYTES = 2_048;

/** The entries of the table of contents of a PDF. A file may lead its entries in a circle: each counts once. */
class Contents {
  readonly byPage = new Map<number, Bookmark[]>();
  private readonly seen = new Set<number>();

  constructor(
    private readonly pdfium: Pdfium,
    private readonly document: number,
  ) {}

  read(parent: number, level: number): void {
    const { calls } = this.pdfium;
    let entry = calls.FPDFBookmark_GetFirstChild(this.document, parent);
    while (entry !== 0 && !this.seen.has(entry) && this.seen.size < MOST_BOOKMARKS) {
      this.seen.add(entry);
      this.add(entry, Math.min(level, LOWEST));
      if (level < LOWEST) this.read(entry, level + 1);
      entry = calls.FPDFBookmark_GetNextSibling(this.document, entry);
    }
  }

  private add(entry: number, level: number): void {
    const page = this.pageOf(entry);
    const { calls } = this.pdfium;
    const read = (buffer: number, length: number): number => calls.FPDFBookmark_GetTitle(entry, buffer, length);
    const title = oneLine(this.pdfium.answer(read, MOST_TITLE_BYTES).toString('utf16le'));
    if (page < 0 || title === '') return;
    const listed = this.byPage.get(page) ?? [];
    this.byPage.set(page, listed);
    listed.push({ title, level });
  }

  /** The page that an entry leads to, from 0; -1 without one. */
  private pageOf(entry: number): number {
    const { calls } = this.pdfium;
    const action = calls.FPDFBookmark_GetAction(entry);
    const target =
      calls.FPDFBookmark_GetDest(this.document, entry) ||
      (action === 0 ? 0 : calls.FPDFAction_GetDest(this.document, action));
    return target === 0 ? -1 : calls.FPDFDest_GetDestPageIndex(this.document, target);
  }
}

/** The entries of the table of contents by the page that they lead to, from 0. */
export const bookmarksOf = (pdfium: Pdfium, document: number): ReadonlyMap<number, readonly Bookmark[]> => {
  const contents = new Contents(pdfium, document);
  contents.read(0, 1);
  return contents.byPage;
};
