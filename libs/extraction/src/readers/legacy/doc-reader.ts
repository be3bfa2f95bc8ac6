import WordExtractor from 'word-extractor';
import { DamagedFile, ExtractionRefusal, PasswordProtected, UnsupportedFile } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import { isPageNumber } from '../../page-number';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { CompoundStreams } from '../archive';
import { withoutHiddenText } from './doc-hidden';
import { factsOfSummary, SUMMARY } from './property-set';

const FLAGS_AT = 10;
const HEADER = 32;
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
/** The mark of Word from 1997 on. */
const WORD_97 = 0xa5ec;
const AS_WRITTEN = { filterUnicode: false } as const;

type WordDocument = Awaited<ReturnType<WordExtractor['extract']>>;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replaceAll('\u001e', '-').replace(/[\u0000-\u0008\u000e-\u001f]/g, ''))
    .filter((line) => line.trim() !== '');

/** Writes the body: a line that ends with the mark of a cell is a row of a table. */
const writeBody = (flow: FlowWriter, body: string): void => {
  let inTable = false;
  for (const line of linesOf(body)) {
    const isRow = line.endsWith('\t');
    if (isRow && !inTable) flow.openTable();
    if (!isRow && inTable) flow.closeTable();
    inTable = isRow;
    if (isRow) writeRow(flow, line.slice(0, -1));
    else flow.paragraph(line);
  }
  flow.end();
};

const writeRow = (flow: FlowWriter, row: string): void => {
  flow.openRow();
  for (const cell of row.split('\t')) {
    flow.openCell();
    flow.paragraph(cell);
    flow.closeCell();
  }
};

const readable = (main: Buffer | undefined): Buffer => {
  if (main === undefined || main.length < HEADER) throw new DamagedFile();
  if (main.readUInt16LE(0) !== WORD_97)
    throw new UnsupportedFile('Word files of before 1997 are not read; save it as .docx.');
  if ((main.readUInt16LE(FLAGS_AT) & ENCRYPTED) !== 0) throw new PasswordProtected();
  return main;
};

/** Text documents of Word 97 to 2003 (DOC): body with tables, page headers and footers once, notes, comments, boxes. */
export class DocReader extends WholeReader {
  readonly name = 'doc';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const streams = new CompoundStreams(bytes);
    const main = readable(streams.get('WordDocument'));
    const table = streams.get((main.readUInt16LE(FLAGS_AT) & SECOND_TABLE) === 0 ? '0Table' : '1Table');
    const document = await this.extract(withoutHiddenText(bytes, main, table));
    const builder = new TextBuilder(limits);
    const running = (text: string): void => {
      for (const line of new Set(linesOf(text))) if (!isPageNumber(line)) builder.running(line);
    };
    running(document.getHeaders({ ...AS_WRITTEN, includeFooters: false }));
    writeBody(new FlowWriter(builder), document.getBody(AS_WRITTEN));
    const rest = [
      document.getTextboxes(AS_WRITTEN),
      document.getFootnotes(AS_WRITTEN),
      document.getEndnotes(AS_WRITTEN),
      document.getAnnotations(AS_WRITTEN),
    ];
    for (const line of rest.flatMap(linesOf)) builder.paragraph(line);
    running(document.getFooters(AS_WRITTEN));
    return { document: builder.build(factsOfSummary(streams.get(SUMMARY))), attachments: [] };
  }

  private async extract(bytes: Buffer): Promise<WordDocument> {
    try {
      return await new WordExtractor().extract(bytes);
    } catch (error) {
      if (error instanceof ExtractionRefusal) throw error;
      throw new DamagedFile();
    }
  }
}
