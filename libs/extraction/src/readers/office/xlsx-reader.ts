import { type AcquiredFile, type Attachment, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { OfficePackage } from './office-package';
import { reportOfSheets } from './office-report';
import { readAnnotations } from './sheet-annotations';
import { SheetWriter } from './sheet-writer';
import { Calculation } from './xlsx-calculation';
import { ValuesMissing, XlsxRows } from './xlsx-rows';
import { XlsxSheet } from './xlsx-sheet';
import { readWorkbook, type Sheet, type Workbook } from './xlsx-workbook';

/** Writes the sheets of one workbook. */
class WorkbookReading {
  readonly attachments: Attachment[] = [];
  /** Embedded objects that are no documents. */
  others = 0;
  /** Running headers and footers that stand in the text already. */
  private readonly ranText = new Set<string>();
  private calculation: Calculation | null = null;

  constructor(
    private readonly office: OfficePackage,
    private readonly workbook: Workbook,
    private readonly builder: TextBuilder,
  ) {}

  /** Only a sheet with a formula without a value is read again, with the values of all cells. */
  async sheet(sheet: Sheet): Promise<void> {
    const restore = this.builder.checkpoint();
    try {
      await this.write(sheet);
    } catch (error) {
      if (!(error instanceof ValuesMissing)) throw error;
      restore();
      this.calculation ??= await this.collect();
      await this.write(sheet);
    }
  }

  private async write({ name, part, isChart }: Sheet): Promise<void> {
    const parts = await readAnnotations(this.office, part);
    const writer = new SheetWriter(this.builder, name);
    const rows = new XlsxRows(name, this.workbook, parts, writer, this.calculation);
    if (!isChart) await this.office.walk(part, new XlsxSheet(rows));
    writer.end();
    const rest = [
      ...[...parts.notes].map(([reference, note]) => `${reference}: ${note}`),
      ...parts.shapes,
      ...rows.runningTexts.filter((text) => !this.ranText.has(text)),
    ];
    for (const text of rows.runningTexts) this.ranText.add(text);
    writer.beside(rest);
    this.attachments.push(...parts.embedded.files);
    this.others += parts.embedded.others;
  }

  private async collect(): Promise<Calculation> {
    const calculation = new Calculation(this.workbook.strings);
    for (const { name, part, isChart } of this.workbook.sheets)
      if (!isChart) await this.office.walk(part, new XlsxSheet(calculation.collect(name)));
    return calculation;
  }
}

/**
 * Workbooks of Excel (XLSX): each sheet a table under its name, cells as they are shown, dates in ISO 8601, formulas by
 * their values. Comments stand with their cell; shapes, charts and running headers follow the table.
 */
export class XlsxReader extends WholeReader {
  readonly name = 'xlsx';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const office = await OfficePackage.open(bytes, limits);
    const workbook = await readWorkbook(office, await office.mainPart(), limits);
    const builder = new TextBuilder(limits);
    const reading = new WorkbookReading(office, workbook, builder);
    for (const sheet of workbook.sheets) await reading.sheet(sheet);
    const { attachments, others } = reading;
    const report = reportOfSheets({ ...workbook, read: workbook.sheets.length }, { files: attachments, others });
    return { document: builder.build(await office.facts()), attachments, report };
  }
}
