import PostalMime from 'postal-mime';
import { DamagedFile } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { withoutControls } from '../text';
import { AttachmentList } from './attachment-list';
import { composeMail, personOf, writeHtml, writePlain } from './mail-text';

const MESSAGE = 'message/rfc822';

const peopleOf = (addresses: readonly PostalMime.Address[] = []): string =>
  addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ name, address }) => personOf(name, address))
    .join(', ');

const parse = async (bytes: Buffer): Promise<PostalMime.Email> => {
  try {
    // Mails inside the mail become separate documents.
    const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
    if (email.headers.length === 0) throw new DamagedFile();
    return email;
  } catch {
    throw new DamagedFile();
  }
};

/** Pictures in the body, such as logos in signatures, are part of it and not documents. */
const isDecoration = ({ mimeType, related, disposition, contentId }: PostalMime.Attachment): boolean =>
  mimeType.startsWith('image/') && (related === true || (disposition === 'inline' && contentId !== undefined));

const bytesOf = ({ content }: PostalMime.Attachment): Buffer => {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
};

const nameOf = ({ filename, mimeType }: PostalMime.Attachment): string | null =>
  filename !== null && mimeType === MESSAGE && !/\.eml$/i.test(filename) ? `${filename}.eml` : filename;

/** Mails in transport form (EML, RFC 5322), in any character set, with their attachments. */
export class EmlReader extends WholeReader {
  readonly name = 'eml';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const email = await parse(bytes);
    const attachments = new AttachmentList(limits);
    for (const each of email.attachments)
      if (!isDecoration(each)) attachments.add(nameOf(each), each.mimeType, bytesOf(each));
    const { text = '', html = '' } = email;
    return composeMail(
      {
        from: peopleOf(email.from === undefined ? [] : [email.from]),
        to: peopleOf(email.to),
        cc: peopleOf(email.cc),
        date: email.date,
        subject: email.subject,
        body: (builder) => {
          if (text.trim() !== '') writePlain(builder, withoutControls(text));
          else writeHtml(builder, withoutControls(html), limits);
        },
        attachments: attachments.items,
      },
      limits,
    );
  }
}
