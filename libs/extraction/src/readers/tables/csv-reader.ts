import { CsvError, type Options, parse } from 'csv-parse';
import { LimitExceeded } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { limited } from '../text/limited';
import { decodeText } from '../text/text-encoding';
import { delimiterOf, MOST_BEFORE } from './delimiter';
import { namesColumns } from './header-row';

const PIECE = 65_536;
/** A first line for Excel that names the delimiter. */
const SEPARATOR = /^"?sep=(.)"?\r?\n/i;
/** Above any real row. Without a limit, an unclosed quote turns the rest of the file into one row. */
const LONGEST_ROW = 1_000_000;

/** Parsed rows. The parser waits for its consumer, so only a part of the rows is in memory. */
async function* rowsOf(text: string, options: Options): AsyncGenerator<string[]> {
  const parser = parse({
    ...options,
    max_record_size: LONGEST_ROW,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  let at = 0;
  const feed = (): void => {
    while (at < text.length) {
      const piece = text.slice(at, at + PIECE);
      at += PIECE;
      if (!parser.write(piece)) return void parser.once('drain', feed);
    }
    parser.end();
  };
  feed();
  for await (const row of parser) yield row as string[];
}

/** Writes rows as a table. Lines of one cell before its first row with several are its title and comments. */
class TableWriter {
  private before: string[][] | null = [];
  private isFirst = true;

  constructor(private readonly builder: TextBuilder) {}

  add(row: string[]): void {
    const isAlone = row.filter((cell) => cell.trim() !== '').length <= 1;
    if (this.before === null) return this.row(row);
    if (isAlone && this.before.length < MOST_BEFORE) return void this.before.push(row);
    const lines = this.before;
    this.before = null;
    if (isAlone) for (const line of lines) this.row(line);
    else for (const line of lines) this.builder.line(line.join(' ').trim());
    this.row(row);
  }

  end(): void {
    // Without a row of several cells the table has one column.
    for (const row of this.before ?? []) this.row(row);
    this.builder.endTable();
  }

  private row(row: string[]): void {
    if (this.isFirst) this.builder.startTable(null);
    this.builder.row(row, this.isFirst && namesColumns(row));
    this.isFirst = false;
  }
}

const written = async (text: string, options: Options, limits: ReadLimits): Promise<TextBuilder> => {
  const builder = new TextBuilder(limits);
  const table = new TableWriter(builder);
  for await (const row of rowsOf(text, options)) table.add(row);
  table.end();
  return builder;
};

const tooLong = (error: unknown): never => {
  throw error instanceof CsvError ? new LimitExceeded('characters in a row', LONGEST_ROW) : error;
};

/** CSV and TSV: one table, a line for each row, its cells separated by ` | `, whatever the delimiter in the file. */
export class CsvReader extends WholeReader {
  readonly name = 'csv';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const whole = limited(decodeText(bytes), limits);
    const [first, separator] = SEPARATOR.exec(whole) ?? ['', undefined];
    const text = whole.slice(first.length);
    const delimiter = separator ?? delimiterOf(text);
    const builder = await written(text, { delimiter }, limits).catch((error: unknown) => {
      if (!(error instanceof CsvError)) throw error;
      // An unclosed quote is an ordinary character.
      return written(text, { delimiter, quote: null }, limits).catch(tooLong);
    });
    return { document: { ...builder.build(), title: null }, attachments: [] };
  }
}
