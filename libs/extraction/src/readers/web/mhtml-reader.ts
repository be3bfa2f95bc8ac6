import type { ExtractedText, Range, Table } from '@acervo/analysis';
import { NoTextFound } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { contentOf, leavesOf, type MimePart, mimeTree, parameterOf } from '../mail';
import { decodeAs } from '../text';
import { limited } from '../text/limited';
import { HtmlReader } from './html-reader';

const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;
const PLAIN = 'text/plain';

/** The bytes of a page in an encoding that its reader recognises. */
const pageBytes = (page: MimePart): Buffer => {
  const content = contentOf(page);
  const charset = parameterOf(page.headers.get('content-type') ?? '', 'charset');
  const named = charset === undefined ? undefined : decodeAs(content, charset);
  return named === undefined || /^utf-?8$/i.test(charset ?? '') ? content : Buffer.from(`\ufeff${named}`);
};

const moved = <Place extends Range>(place: Place, by: number): Place => ({
  ...place,
  start: place.start + by,
  end: place.end + by,
});

const movedTable = (table: Table, by: number): Table => ({
  ...moved(table, by),
  header: table.header === null ? null : moved(table.header, by),
  rows: table.rows.map((row) => moved(row, by)),
});

/** A text below another one; the facts are those of the first. */
const joined = (one: ExtractedText, other: ExtractedText): ExtractedText => {
  const text = `${one.text}\n\n`;
  return {
    ...one,
    text: `${text}${other.text}`,
    headings: [...one.headings, ...other.headings.map((heading) => moved(heading, text.length))],
    tables: [...one.tables, ...other.tables.map((table) => movedTable(table, text.length))],
  };
};

/** Pages that browsers save in one file (MHTML): the page and its frames; pictures and styles are left out. */
export class MhtmlReader extends WholeReader {
  readonly name = 'mhtml';
  private readonly html = new HtmlReader();

  async read(file: AcquiredFile, context: ReadContext): Promise<Extraction> {
    const leaves = leavesOf(mimeTree(file.bytes, context.limits));
    const pages = leaves.filter(({ type }) => PAGE.test(type));
    const shown = pages.length > 0 ? pages : leaves.filter(({ type }) => type === PLAIN).slice(0, 1);
    const tally = new PartTally();
    tally.count('MIME_PART', leaves.length);
    let document: ExtractedText | null = null;
    for (const page of shown) {
      const text = await this.textOf({ ...file, bytes: pageBytes(page) }, context);
      if (text === null) tally.leaveOut('MIME_PART', 'NO_TEXT');
      else tally.read('MIME_PART');
      if (text !== null) document = document === null ? text : joined(document, text);
    }
    if (document === null) throw new NoTextFound();
    limited(document.text, context.limits);
    const pictures = leaves.filter(({ type }) => type.startsWith('image/')).length;
    tally.leaveOut('MIME_PART', 'PICTURE', pictures);
    tally.leaveOut('MIME_PART', 'APPEARANCE', leaves.filter(({ type }) => /css|font|javascript/.test(type)).length);
    return { document, attachments: [], report: tally.report() };
  }

  /** Null for a page without a text, as frames of advertisements are. */
  private async textOf(page: AcquiredFile, context: ReadContext): Promise<ExtractedText | null> {
    try {
      return (await this.html.read(page, context)).document;
    } catch (error) {
      if (error instanceof NoTextFound) return null;
      throw error;
    }
  }
}
