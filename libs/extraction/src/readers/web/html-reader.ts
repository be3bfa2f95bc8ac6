import type { ExtractedText } from '@acervo/analysis';
import { JSDOM, VirtualConsole } from 'jsdom';
import { NoTextFound } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import {
  type AcquiredFile,
  type Extraction,
  type PagedFacts,
  type ReadContext,
  type ReadLimits,
  WholeReader,
} from '../../reader';
import { TextBuilder } from '../../text-builder';
import { Hypertext } from '../epub';
import { limited } from '../text/limited';
import { decodeHtml } from './html-decoding';
import { factsOfHtml } from './html-facts';
import { mainContentOf, type PageSize } from './main-content';

/** A larger page counts as content entirely, since its DOM tree would need too much memory. */
const MOST_FOR_TREE = 2_000_000;
const MOST_ELEMENTS = 20_000;
const HEAD = 100_000;

const writtenBy = (html: string, limits: ReadLimits): { builder: TextBuilder; size: PageSize } => {
  const builder = new TextBuilder(limits);
  const flow = new FlowWriter(builder);
  const page = new Hypertext(flow, limits);
  page.write(html);
  page.end();
  flow.end();
  return { builder, size: page.size };
};

const built = (builder: TextBuilder, facts: Partial<PagedFacts>): ExtractedText | null => {
  try {
    return builder.build(facts);
  } catch (error) {
    if (error instanceof NoTextFound) return null;
    throw error;
  }
};

/** The DOM tree of a page. No script runs and nothing is fetched. */
const treeOf = (html: string): Document => new JSDOM(html, { virtualConsole: new VirtualConsole() }).window.document;

/** HTML: the main content of a page, with its headings, lists and tables. */
export class HtmlReader extends WholeReader {
  readonly name = 'html';

  /** @throws LimitExceeded, NoTextFound */
  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const html = limited(decodeHtml(bytes), limits);
    // The whole page is written first, which refuses nesting that is too deep for a tree.
    const { builder: whole, size } = writtenBy(html, limits);
    const isLong = html.length > MOST_FOR_TREE || size.elements > MOST_ELEMENTS;
    const document = treeOf(isLong ? html.slice(0, HEAD) : html);
    const facts = factsOfHtml(document);
    const main = isLong ? null : built(writtenBy(mainContentOf(document, size), limits).builder, facts);
    return { document: main ?? whole.build(facts), attachments: [] };
  }
}
