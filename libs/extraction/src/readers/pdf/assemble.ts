import type { ExtractedText } from '@acervo/analysis';
import type { PagedFacts, RawLine, RawPage } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { bodyOf, HeadingScale, type Paragraph } from './headings';
import { joinLines } from '../text/line-joining';
import { withoutRunningLines } from './running-lines';

/** The pages were read within the limits, and their joined text is no longer than they are. */
const WITHOUT_LIMITS = { characters: Infinity, pages: Infinity };

const paragraphOf = (lines: readonly RawLine[]): Paragraph => ({
  text: joinLines(lines.map(({ text }) => text)),
  lines: lines.length,
  size: Math.max(...lines.map(({ size }) => size)),
  bold: lines.every(({ bold }) => bold),
});

const paragraphsOf = ({ lines }: RawPage): Paragraph[] => {
  const groups: RawLine[][] = [];
  for (const line of lines) {
    const open = groups.at(-1);
    if (open === undefined || line.startsParagraph) groups.push([line]);
    else open.push(line);
  }
  return groups.map(paragraphOf);
};

/**
 * One text of all pages: without running headers and footers, lines joined into paragraphs, headings detected by their
 * typography. Every page keeps the range of its text.
 * @throws NoTextFound
 */
export const assemblePages = (pages: readonly RawPage[], facts: PagedFacts): ExtractedText => {
  const body = bodyOf(pages);
  const written = withoutRunningLines(pages, body.size).map((page) => ({
    number: page.number,
    paragraphs: paragraphsOf(page),
  }));
  const scale = new HeadingScale(
    body,
    written.flatMap(({ paragraphs }) => paragraphs),
  );
  const builder = new TextBuilder(WITHOUT_LIMITS);
  for (const { number, paragraphs } of written) {
    builder.startPage(number);
    for (const paragraph of paragraphs) {
      const level = scale.levelOf(paragraph);
      if (level === null) builder.paragraph(paragraph.text);
      else builder.heading(level, paragraph.text);
    }
  }
  return builder.build(facts);
};
