import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { OfficePackage } from './office-package';
import { SheetWriter } from './sheet-writer';
import { XlsxSheet } from './xlsx-sheet';
import { readWorkbook } from './xlsx-workbook';

/** Workbooks of Excel (XLSX): each sheet a table under its name, dates in ISO 8601, formulas by their values. */
export class XlsxReader extends WholeReader {
  readonly name = 'xlsx';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const office = await OfficePackage.open(bytes, limits);
    const workbook = await readWorkbook(office, await office.mainPart(), limits);
    const builder = new TextBuilder(limits);
    for (const { name, part } of workbook.sheets) {
      const writer = new SheetWriter(builder, name);
      await office.walk(part, new XlsxSheet(workbook, writer));
      writer.end();
    }
    return { document: builder.build(await office.facts()), attachments: [] };
  }
}
