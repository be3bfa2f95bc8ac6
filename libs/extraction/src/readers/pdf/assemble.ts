import type { ExtractedText } from '@acervo/analysis';
import { NoTextFound, UnreadableText } from '../../errors';
import type { PagedFacts, RawLine, RawPage } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { joinLines } from '../text/line-joining';
import { bodyOf, HeadingScale, type Paragraph } from './headings';
import { PageTitles } from './page-titles';
import { type BodyLine, type BodyPage, withRunningLinesOnce } from './running-lines';

/** The pages were read within the limits, and their joined text is no longer than they are. */
const WITHOUT_LIMITS = { characters: Infinity, pages: Infinity };

interface BodyParagraph extends Paragraph {
  readonly isRunning: boolean;
}

const paragraphOf = (lines: readonly BodyLine[]): BodyParagraph => ({
  text: joinLines(lines.map(({ text }: RawLine) => text)),
  lines: lines.length,
  size: Math.max(...lines.map(({ size }) => size)),
  bold: lines.every(({ bold }) => bold),
  isRunning: lines[0]?.isRunning === true,
});

const paragraphsOf = ({ lines }: BodyPage): BodyParagraph[] => {
  const groups: BodyLine[][] = [];
  for (const line of lines) {
    const open = groups.at(-1);
    const continues = open !== undefined && !line.startsParagraph && !line.isRunning && open[0]?.isRunning === false;
    if (continues) open.push(line);
    else groups.push([line]);
  }
  return groups.map(paragraphOf);
};

/** Writes the pages of one text. */
class Assembly {
  private readonly builder = new TextBuilder(WITHOUT_LIMITS);

  constructor(private readonly scale: HeadingScale) {}

  page({ number, bookmarks = [] }: BodyPage, paragraphs: readonly BodyParagraph[]): void {
    const titles = new PageTitles(bookmarks, paragraphs);
    this.builder.startPage(number);
    for (const { title, level } of titles.missing) this.builder.heading(level, title);
    for (const paragraph of paragraphs) {
      if (paragraph.isRunning) this.builder.running(paragraph.text);
      else this.write(paragraph, titles.levelOf(paragraph) ?? this.scale.levelOf(paragraph));
    }
  }

  build(facts: PagedFacts): ExtractedText {
    return this.builder.build(facts);
  }

  private write({ text }: Paragraph, level: number | null): void {
    if (level === null) this.builder.paragraph(text);
    else this.builder.heading(level, text);
  }
}

const withoutText = (pages: readonly RawPage[]): Error =>
  pages.some(({ isUnreadable }) => isUnreadable === true) ? new UnreadableText() : new NoTextFound();

/**
 * One text of all pages: running headers and footers once, lines joined into paragraphs, headings by the table of
 * contents of the file and by their typography. Every page keeps the range of its text.
 * @throws NoTextFound, UnreadableText
 */
export const assemblePages = (pages: readonly RawPage[], facts: PagedFacts): ExtractedText => {
  // Titles of the table of contents alone are no text of a page: recognition may still find one.
  if (pages.every(({ lines }) => lines.length === 0)) throw withoutText(pages);
  const body = bodyOf(pages);
  const written = withRunningLinesOnce(pages, body.size).map((page) => ({ page, paragraphs: paragraphsOf(page) }));
  const scale = new HeadingScale(
    body,
    written.flatMap(({ paragraphs }) => paragraphs.filter(({ isRunning }) => !isRunning)),
  );
  const assembly = new Assembly(scale);
  for (const { page, paragraphs } of written) assembly.page(page, paragraphs);
  try {
    return assembly.build(facts);
  } catch (error) {
    throw error instanceof NoTextFound ? withoutText(pages) : error;
  }
};
