import type { Bookmark } from '../../reader';
import type { Paragraph } from './headings';

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** A paragraph may have so many letters for each of the title that it is the heading of, such as a number before it. */
const MOST_LONGER = 1.5;

/** The entries of the table of contents that lead to a page, and the paragraphs that they name. */
export class PageTitles {
  private readonly levels = new Map<string, number>();
  /** Entries whose title the page does not show, as with pages that are pictures. */
  readonly missing: readonly Bookmark[];

  constructor(bookmarks: readonly Bookmark[], paragraphs: readonly Paragraph[]) {
    const page = bookmarks.length === 0 ? '' : bare(paragraphs.map(({ text }) => text).join(''));
    for (const { title, level } of bookmarks) if (!this.levels.has(bare(title))) this.levels.set(bare(title), level);
    this.missing = bookmarks.filter(({ title }) => bare(title) !== '' && !page.includes(bare(title)));
  }

  /** The level of a paragraph that an entry names; null for every other one. */
  levelOf({ text, lines }: Paragraph): number | null {
    if (this.levels.size === 0 || lines > 3) return null;
    const letters = bare(text);
    for (const [title, level] of this.levels)
      if (title !== '' && letters.endsWith(title) && letters.length <= MOST_LONGER * title.length) return level;
    return null;
  }
}
