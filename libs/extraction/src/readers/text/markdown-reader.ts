import { plainText } from '@acervo/analysis';
import { NoTextFound } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { limited } from './limited';
import { blocksIn } from './markdown-blocks';
import { withoutMarkup } from './markdown-html';
import { decodeText } from './text-encoding';
import { firstLine } from './text-reader';

const FRONT_TITLE = /^title:[ \t]*["']?(.{1,200}?)["']?[ \t]*$/m;

/** Splits the front matter, which some editors write, from the text. */
const splitFrontMatter = (text: string): { front: string; body: string } => {
  if (!text.startsWith('---\n')) return { front: '', body: text };
  const end = text.indexOf('\n---\n', 3);
  return end < 0 ? { front: '', body: text } : { front: text.slice(4, end + 1), body: text.slice(end + 5) };
};

/** Markdown: source text without its HTML and templates, with ranges of headings and tables. */
export class MarkdownReader extends WholeReader {
  readonly name = 'markdown';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const { front, body: source } = splitFrontMatter(limited(decodeText(bytes), limits));
    const body = withoutMarkup(source);
    if (body.trim() === '') throw new NoTextFound();
    const { headings, tables } = blocksIn(body);
    const title = FRONT_TITLE.exec(front)?.[1] ?? headings[0]?.title ?? firstLine(body);
    return { document: plainText(body, { headings, tables, title }), attachments: [] };
  }
}
