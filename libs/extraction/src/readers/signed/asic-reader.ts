import { DamagedFile } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { TextBuilder } from '../../text-builder';
import { Archive, assertZip } from '../archive';
import { AttachmentList } from '../../attachment-list';

const isFolder = (name: string): boolean => name.endsWith('/');
/** Signatures, their manifests and the kind of the container. */
const isSignature = (name: string): boolean => name === 'mimetype' || /^META-INF\//i.test(name);

/** Containers of signed files (ASiC): each file inside becomes a document. Signatures are not verified. */
export class AsicReader extends WholeReader {
  readonly name = 'asic';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    assertZip(bytes);
    const archive = await Archive.open(bytes, limits);
    const names = archive.names.filter((name) => !isFolder(name));
    const signed = names.filter((name) => !isSignature(name));
    const tally = new PartTally();
    tally.count('RELATION', names.length);
    tally.leaveOut('RELATION', 'SIGNATURE', names.length - signed.length);
    if (signed.length === 0) throw new DamagedFile();
    const attachments = new AttachmentList(limits);
    for (const name of signed) {
      attachments.add(name, '', await archive.bytes(name));
      tally.read('RELATION');
    }
    const builder = new TextBuilder(limits);
    builder.paragraph(`Contenido firmado: ${attachments.items.map((each) => each.name).join(', ')}`);
    return { document: builder.build(), attachments: attachments.items, report: tally.report() };
  }
}
