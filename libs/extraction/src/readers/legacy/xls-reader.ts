import { read, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { DamagedFile, PasswordProtected } from '../../errors';
import {
  type AcquiredFile,
  type Extraction,
  type PagedFacts,
  type ReadContext,
  type ReadLimits,
  WholeReader,
} from '../../reader';
import { dateOf, factOf, TextBuilder } from '../../text-builder';
import { Archive, assertSoundCompoundFile, CompoundStreams, isCompoundFile } from '../archive';
import { numberFormatOf, reportOfSheets, type SheetCell, SheetWriter, textFormatOf } from '../office';
import { rareFormats } from '../office/sheetjs';
import { type SheetTexts, textsOfSheets } from './xls-records';

const VERY_HIDDEN = 2;
/** Values of errors by their codes. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);
/** Codes that the library writes for formats that depend on the system, by their numbers. */
const SYSTEM_DATES: ReadonlyMap<string, number> = new Map([
  ['m/d/yy', 14],
  ['m/d/yy h:mm', 22],
]);
const LOCKED = /password|encrypt/i;
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');

/** A cell of the library, by row and column; rows and cells without content are missing. */
type Rows = readonly (readonly CellObject[])[];

/** Counts what an archive inflates to before the library does so without a limit. */
const assertBounded = async (bytes: Buffer, limits: ReadLimits): Promise<void> => {
  const archive = await Archive.open(bytes, limits);
  // Only the number of bytes counts, inside the archive.
  for (const name of archive.names) for await (const _chunk of archive.stream(name));
};

const open = (bytes: Buffer): WorkBook => {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: true,
    });
  } catch (error) {
    if (error instanceof Error && LOCKED.test(error.message)) throw new PasswordProtected();
    throw new DamagedFile();
  }
};

/** Writes the cells of a workbook as they are shown. */
class WorkbookWriter {
  private readonly in1904: boolean;
  /** Running headers that stand in the text already. */
  private readonly ranLines = new Set<string>();
  private readonly formats = new Map<string, (value: number) => string>();

  constructor(
    private readonly workbook: WorkBook,
    private readonly builder: TextBuilder,
    private readonly texts: ReadonlyMap<string, SheetTexts>,
  ) {
    this.in1904 = workbook.Workbook?.WBProps?.date1904 === true;
  }

  sheet(name: string): void {
    const sheet = this.workbook.Sheets[name];
    const writer = new SheetWriter(this.builder, name);
    for (const row of this.rowsOf(sheet)) writer.row(this.cellsOf(row));
    writer.end();
    const { shown = [], running = [] } = this.texts.get(name) ?? {};
    writer.beside([...shown, ...[...running].filter((line) => !this.ranLines.has(line))]);
    for (const line of running) this.ranLines.add(line);
  }

  private rowsOf(sheet: WorkSheet | undefined): Rows {
    const rows: unknown = sheet?.['!data'];
    // Sparse: only rows with cells have an entry.
    return Array.isArray(rows) ? (Object.values(rows) as Rows) : [];
  }

  private cellsOf(row: readonly CellObject[]): [number, SheetCell][] {
    return Object.entries(row).flatMap(([column, cell]) => {
      const shown = this.cell(cell);
      return shown === null ? [] : [[Number(column), shown] as [number, SheetCell]];
    });
  }

  private cell(cell: CellObject): SheetCell | null {
    const note = cell.c?.map(({ t }) => t).join(' / ');
    const base = this.content(cell);
    if (note === undefined || note.trim() === '') return base;
    return { text: '', isWords: false, ...base, note };
  }

  private content({ t: type, v: value, z: code, f: formula, w: shown }: CellObject): SheetCell | null {
    if (value === undefined || value === null)
      return formula === undefined ? null : { text: `=${formula}`, isWords: false };
    if (type === 'n' && typeof value === 'number') return { text: this.formatOf(code)(value), isWords: false };
    if (type === 'b') return { text: value === true ? 'TRUE' : 'FALSE', isWords: false };
    if (type === 'e') return { text: shown ?? ERRORS.get(Number(value)) ?? '#N/A', isWords: false };
    if (value instanceof Date) return { text: dateOf(value)?.slice(0, 10) ?? '', isWords: false };
    const text = String(value);
    return { text: textFormatOf(code === undefined ? code : String(code))?.(text) ?? text, isWords: type === 's' };
  }

  private formatOf(format: string | number | undefined): (value: number) => string {
    const key = String(format ?? 'General');
    const compiled = this.formats.get(key);
    if (compiled !== undefined) return compiled;
    const id = SYSTEM_DATES.get(key) ?? (Number(format) || 0);
    const code = typeof format === 'number' || SYSTEM_DATES.has(key) ? undefined : key;
    const made = numberFormatOf(id, code, { in1904: this.in1904, rare: rareFormats });
    this.formats.set(key, made);
    return made;
  }
}

const factsOf = ({ Props = {} }: WorkBook): PagedFacts => ({
  title: factOf(Props.Title),
  author: factOf(Props.Author) ?? factOf(Props.LastAuthor),
  date: dateOf(Props.ModifiedDate) ?? dateOf(Props.CreatedDate),
  language: null,
});

/**
 * Workbooks of Excel before 2007 (XLS), in its binary form after it (XLSB), and in XML of 2003: sheets as tables, cells
 * as they are shown, comments with their cells.
 */
export class XlsReader extends WholeReader {
  readonly name = 'xls';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const isCompound = isCompoundFile(bytes);
    if (isCompound) assertSoundCompoundFile(bytes);
    else if (bytes.subarray(0, ZIP.length).equals(ZIP)) await assertBounded(bytes, limits);
    const workbook = open(bytes);
    const builder = new TextBuilder(limits);
    const texts = textsOfSheets(isCompound ? new CompoundStreams(bytes).get('Workbook') : undefined);
    const writer = new WorkbookWriter(workbook, builder, texts);
    const names = workbook.SheetNames;
    const shown = names.filter((_name, index) => workbook.Workbook?.Sheets?.[index]?.Hidden !== VERY_HIDDEN);
    for (const name of shown) writer.sheet(name);
    const counts = { counted: names.length, hidden: names.length - shown.length, unsupported: 0, read: shown.length };
    return { document: builder.build(factsOf(workbook)), attachments: [], report: reportOfSheets(counts) };
  }
}
