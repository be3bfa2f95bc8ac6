import { decompressRTF } from '@kenjiuno/decompressrtf';
import { DamagedFile, ExtractionRefusal } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { factOf, TextBuilder } from '../../text-builder';
import { RtfBody, RtfDocument } from '../rtf';
import { AttachmentList } from '../../attachment-list';
import { writeFuller } from './mail-text';
import { readTnef, type Tnef } from './tnef';

/** Writes the text of a message: the fuller of plain text and HTML, else RTF. */
export const writeTnef = (builder: TextBuilder, { text, html, compressedRtf }: Tnef, limits: ReadLimits): void => {
  if (text.trim() !== '' || html.trim() !== '') writeFuller(builder, text, html, limits);
  else if (compressedRtf !== null) {
    const rtf = Buffer.from(decompressRTF([...compressedRtf]));
    new RtfDocument(new RtfBody(new FlowWriter(builder), builder), limits).read(rtf);
  }
};

const read = (bytes: Buffer, limits: ReadLimits): Extraction => {
  const tnef = readTnef(bytes, limits);
  const attachments = new AttachmentList(limits);
  for (const { name, bytes: content } of tnef.files) attachments.add(name, '', content);
  const builder = new TextBuilder(limits);
  if (tnef.subject !== '') builder.line(`Subject: ${tnef.subject}`);
  const names = attachments.items.map(({ name }) => name).join(', ');
  if (names !== '') builder.line(`Attachments: ${names}`);
  writeTnef(builder, tnef, limits);
  const tally = new PartTally();
  tally.count('PART');
  tally.read('PART');
  if (tnef.files.length + tnef.emptyFiles > 0) {
    tally.count('ATTACHMENT', tnef.files.length + tnef.emptyFiles);
    tally.read('ATTACHMENT', tnef.files.length);
    tally.leaveOut('ATTACHMENT', 'NO_TEXT', tnef.emptyFiles);
  }
  const document = builder.build({ title: factOf(tnef.subject) });
  return { document, attachments: attachments.items, report: tally.report() };
};

/** What Outlook sends as `winmail.dat` (TNEF): the text of a message and its attachments. */
export class TnefReader extends WholeReader {
  readonly name = 'tnef';

  read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    return Promise.resolve()
      .then(() => read(bytes, limits))
      .catch((error: unknown) => {
        // The library of compressed RTF throws its own errors.
        throw error instanceof ExtractionRefusal ? error : new DamagedFile();
      });
  }
}
