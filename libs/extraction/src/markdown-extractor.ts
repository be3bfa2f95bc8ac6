import { type ExtractedText, type Heading, plainText } from '@acervo/analysis';
import { NoTextFound } from './errors';
import { Extractor } from './extractor';
import type { AcquiredFile } from './reader';
import { decodeText } from './text-encoding';
import { firstLine } from './text-extractor';

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const FRONT_TITLE = /^title:[ \t]*["']?(.{1,200}?)["']?[ \t]*$/m;

/** The block of settings that some editors put before the text, and what follows it. */
const splitFrontMatter = (text: string): { front: string; body: string } => {
  if (!text.startsWith('---\n')) return { front: '', body: text };
  const end = text.indexOf('\n---\n', 3);
  return end < 0 ? { front: '', body: text } : { front: text.slice(4, end + 1), body: text.slice(end + 5) };
};

const headingsIn = (text: string): Heading[] => {
  const headings: Heading[] = [];
  let offset = 0;
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    const found = fenced ? null : HEADING.exec(line);
    if (found?.[1] !== undefined && found[2] !== undefined) {
      const title = found[2].replace(/[ \t]+#+[ \t]*$/, '').trim();
      headings.push({ level: found[1].length, start: offset, end: offset + line.length, title: title.slice(0, 200) });
    }
    offset += line.length + 1;
  }
  return headings;
};

/** Markdown: kept as it is written, with its headings known. */
export class MarkdownExtractor extends Extractor {
  readonly endings = ['md', 'markdown'];

  extract({ bytes }: AcquiredFile): Promise<ExtractedText> {
    const { front, body } = splitFrontMatter(decodeText(bytes));
    if (body.trim() === '') return Promise.reject(new NoTextFound());
    const headings = headingsIn(body);
    const title = FRONT_TITLE.exec(front)?.[1] ?? headings[0]?.title ?? firstLine(body);
    return Promise.resolve(plainText(body, { headings, title }));
  }
}
