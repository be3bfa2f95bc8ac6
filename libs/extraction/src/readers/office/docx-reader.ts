import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { DocxBody, type DocxParts } from './docx-body';
import { readNotes } from './docx-notes';
import { DocxNumbering } from './docx-numbering';
import { DocxStyles } from './docx-styles';
import { readRunning } from './docx-running';
import { readChunks } from './alt-chunks';
import { readEmbedded } from './embedded-files';
import { OfficePackage, type Relation } from './office-package';
import { reportOfRelations } from './office-report';
import { readShownParts } from './shown-parts';

const readParts = async (
  office: OfficePackage,
  relations: readonly Relation[],
  context: ReadContext,
): Promise<DocxParts> => {
  const part = (wanted: string): string | undefined => relations.find(({ kind }) => kind === wanted)?.part;
  const parts: DocxParts = {
    styles: await DocxStyles.read(office, part('styles')),
    numbering: await DocxNumbering.read(office, part('numbering')),
    notes: new Map(),
    shown: new Map([...(await readShownParts(office, relations)), ...(await readChunks(office, relations, context))]),
  };
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote', 'comment'] as const)
    for (const [name, text] of await readNotes(office, kind, relations, parts)) notes.set(name, text);
  return { ...parts, notes };
};

/**
 * Text documents of Word (DOCX). Inserted text counts, deleted text does not. Headers of pages come before the body and
 * footers behind it, each line once. Notes, comments, charts and diagrams follow the block that refers to them.
 * Hidden text and the list of headings with their pages are left out.
 */
export class DocxReader extends WholeReader {
  readonly name = 'docx';

  async read({ bytes }: AcquiredFile, context: ReadContext): Promise<Extraction> {
    const office = await OfficePackage.open(bytes, context.limits);
    const main = await office.mainPart();
    const relations = await office.relations(main);
    const parts = await readParts(office, relations, context);
    const builder = new TextBuilder(context.limits);
    for (const line of await readRunning(office, relations, 'header', parts)) builder.running(line);
    const flow = new FlowWriter(builder);
    await office.walk(main, new DocxBody(flow, parts));
    flow.end();
    for (const line of await readRunning(office, relations, 'footer', parts)) builder.running(line);
    const embedded = await readEmbedded(office, relations);
    const report = reportOfRelations(office, relations, { embedded, shown: parts.shown });
    return { document: builder.build(await office.facts()), attachments: embedded.files, report };
  }
}
