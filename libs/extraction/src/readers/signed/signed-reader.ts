import { EncryptedContent, LimitExceeded, UnsupportedFile } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { TextBuilder } from '../../text-builder';
import { AttachmentList } from '../../attachment-list';
import { binaryCms, isCms, openCms } from './cms';

const SIGNED_ENDING = /\.(?:p7m|p7s|p7c|pk7|p7b|p7)$/i;
const ENDING = /\.[A-Za-z0-9]{1,8}$/;
const MIME = /^(?:Content-|MIME-Version:)/i;

const withoutSignature = (name: string): string =>
  SIGNED_ENDING.test(name) ? withoutSignature(name.replace(SIGNED_ENDING, '')) : name;

/** The name of the signed file: that of its container without the ending. Without one the content decides. */
const contentName = (container: string, content: Buffer): string => {
  const name = withoutSignature(container);
  return !ENDING.test(name) && MIME.test(content.toString('latin1', 0, 20)) ? `${name}.eml` : name;
};

/** The content below all signatures. @throws EncryptedContent, UnsupportedFile, LimitExceeded, DamagedFile */
const unsigned = (bytes: Buffer, most: number, depth = most): Buffer => {
  if (depth < 0) throw new LimitExceeded('signatures around signatures', most);
  const opened = openCms(bytes);
  if (opened.kind === 'encrypted') throw new EncryptedContent();
  if (opened.kind === 'detached')
    throw new UnsupportedFile('The file is a signature alone; the content that it signs is another file.');
  return isCms(binaryCms(opened.bytes.subarray(0, 1_000))) ? unsigned(opened.bytes, most, depth - 1) : opened.bytes;
};

/** Signed content (CMS, PKCS #7): the file inside becomes a document of its own. Signatures are not verified. */
export class SignedReader extends WholeReader {
  readonly name = 'signed';

  async read({ name, bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const content = unsigned(bytes, limits.depth);
    const attachments = new AttachmentList(limits);
    attachments.add(contentName(name, content), '', content);
    const builder = new TextBuilder(limits);
    builder.paragraph(`Contenido firmado: ${attachments.items.map((each) => each.name).join(', ')}`);
    const tally = new PartTally();
    tally.count('SIGNED_CONTENT');
    tally.read('SIGNED_CONTENT');
    return { document: builder.build(), attachments: attachments.items, report: tally.report() };
  }
}
