import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { DocxBody, type DocxParts } from './docx-body';
import { readNotes } from './docx-notes';
import { DocxNumbering } from './docx-numbering';
import { DocxStyles } from './docx-styles';
import { OfficePackage } from './office-package';

const readParts = async (office: OfficePackage, main: string): Promise<DocxParts> => {
  const relations = await office.relations(main);
  const part = (wanted: string): string | undefined => relations.find(({ kind }) => kind === wanted)?.part;
  return {
    styles: await DocxStyles.read(office, part('styles')),
    numbering: await DocxNumbering.read(office, part('numbering')),
    notes: new Map([
      ...(await readNotes(office, 'footnote', part('footnotes'))),
      ...(await readNotes(office, 'endnote', part('endnotes'))),
    ]),
  };
};

/**
 * Text documents of Word (DOCX). Inserted text counts, deleted text does not; comments, headers and footers of pages,
 * hidden text and the list of headings with their pages are left out.
 */
export class DocxReader extends WholeReader {
  readonly name = 'docx';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const office = await OfficePackage.open(bytes, limits);
    const main = await office.mainPart();
    const builder = new TextBuilder(limits);
    const flow = new FlowWriter(builder);
    await office.walk(main, new DocxBody(flow, await readParts(office, main)));
    flow.end();
    return { document: builder.build(await office.facts()), attachments: [] };
  }
}
