import PostalMime from 'postal-mime';
import { DamagedFile } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { TextBuilder } from '../../text-builder';
import { charactersOf, withoutControls } from '../text';
import { bodyParts } from './alternatives';
import { AttachmentList } from '../../attachment-list';
import { invitationText, isInvitation } from './invitation';
import { composeMail, ENCRYPTED, personOf, writeHtml, writePlain } from './mail-text';
import { leavesOf, type MimePart } from './mime-tree';
import { repaired } from './mime-repair';
import { isTnef, readTnef, type Tnef } from './tnef';
import { writeTnef } from './tnef-reader';
import { OPAQUE, unwrapped } from './unwrapped';

const MESSAGE = 'message/rfc822';
/** What servers tell about a mail, beside the sentence for people. */
const STATUS = /^(?:message\/(?:delivery-status|disposition-notification)|text\/rfc822-headers)$/;
const SIGNATURE = /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/;

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

const nameOf = ({ filename, mimeType }: PostalMime.Attachment): string | null => {
  // The usual name of S/MIME leads to the reader that says what the container is.
  if (filename === null) return OPAQUE.test(mimeType) ? 'smime.p7m' : null;
  return mimeType === MESSAGE && !/\.eml$/i.test(filename) ? `${filename}.eml` : filename;
};

/** Content that a program encrypted inside the text. */
const ARMOURED = /-----BEGIN PGP MESSAGE-----[^]*?(?:-----END PGP MESSAGE-----|$)/g;

/** Reads one mail, and counts its parts. */
class MailReading {
  private readonly attachments: AttachmentList;
  private readonly tally = new PartTally();
  /** Writers of what the mail shows below its text. */
  private readonly below: ((builder: TextBuilder) => void)[] = [];

  constructor(private readonly limits: ReadLimits) {
    this.attachments = new AttachmentList(limits);
  }

  async read(bytes: Buffer): Promise<Extraction> {
    const { root, signatures, isEncrypted } = await unwrapped(bytes, this.limits);
    const leaves = leavesOf(root);
    this.tally.count('MIME_PART', leaves.length);
    if (signatures > 0) this.readAll('SIGNED_CONTENT', signatures);
    const email = await parse(repaired(root));
    if (isEncrypted) this.tally.leaveOut('MIME_PART', 'ENCRYPTED', leaves.length);
    else this.readLeaves(leaves, email);
    return { ...this.composed(email, isEncrypted), report: this.tally.report() };
  }

  private readLeaves(leaves: readonly MimePart[], email: PostalMime.Email): void {
    const invitations = leaves.filter(isInvitation);
    for (const part of invitations) this.below.push((builder) => writePlain(builder, invitationText(part)));
    this.tally.read('MIME_PART', invitations.length);
    for (const attachment of email.attachments) this.attach(attachment, invitations.length > 0);
    const shown = leaves.length - invitations.length - email.attachments.length;
    const others = bodyParts(email.text ?? '', email.html ?? '').length === 1 && this.hasBoth(email) ? 1 : 0;
    this.tally.leaveOut('MIME_PART', 'REPEATED', Math.min(others, Math.max(0, shown - 1)));
    const armoured = shown > others && (email.text ?? '').search(ARMOURED) >= 0 ? 1 : 0;
    this.tally.leaveOut('MIME_PART', 'ENCRYPTED', armoured);
    this.tally.read('MIME_PART', Math.max(0, shown - others - armoured));
  }

  private hasBoth({ text = '', html = '' }: PostalMime.Email): boolean {
    return text.trim() !== '' && html.trim() !== '';
  }

  private attach(attachment: PostalMime.Attachment, hasInvitation: boolean): void {
    const { mimeType, filename } = attachment;
    if (hasInvitation && mimeType === 'text/calendar' && filename === null) return;
    if (SIGNATURE.test(mimeType)) return this.tally.leaveOut('MIME_PART', 'SIGNATURE');
    if (isDecoration(attachment)) return this.tally.leaveOut('MIME_PART', 'PICTURE');
    const bytes = bytesOf(attachment);
    this.tally.read('MIME_PART');
    if (STATUS.test(mimeType) && filename === null) {
      this.below.push((builder) => writePlain(builder, charactersOf(bytes)));
      return;
    }
    if (isTnef(bytes) && this.openTnef(bytes)) return;
    this.attachments.add(nameOf(attachment), mimeType, bytes);
    this.readAll('ATTACHMENT', 1);
  }

  /** Whether a file `winmail.dat` was opened; a faulty one stays an attachment, which says so. */
  private openTnef(bytes: Buffer): boolean {
    const tnef = this.readableTnef(bytes);
    if (tnef === null) return false;
    this.below.push((builder) => writeTnef(builder, tnef, this.limits));
    for (const { name, bytes: content } of tnef.files) this.attachments.add(name, '', content);
    this.readAll('ATTACHMENT', tnef.files.length);
    return true;
  }

  private readableTnef(bytes: Buffer): Tnef | null {
    try {
      const tnef = readTnef(bytes, this.limits);
      // The head of the mail names its attachments, so a faulty text has to show before the body is written.
      writeTnef(new TextBuilder(this.limits), tnef, this.limits);
      return tnef;
    } catch {
      // The library of compressed RTF throws its own errors.
      return null;
    }
  }

  private readAll(kind: 'ATTACHMENT' | 'SIGNED_CONTENT', parts: number): void {
    this.tally.count(kind, parts);
    this.tally.read(kind, parts);
  }

  private composed(email: PostalMime.Email, isEncrypted: boolean): Extraction {
    return composeMail(
      {
        from: peopleOf(email.from === undefined ? [] : [email.from]),
        to: peopleOf(email.to),
        cc: peopleOf(email.cc),
        date: email.date,
        subject: email.subject,
        body: (builder) => (isEncrypted ? builder.paragraph(ENCRYPTED) : this.writeBody(builder, email)),
        attachments: this.attachments.items,
      },
      this.limits,
    );
  }

  private writeBody(builder: TextBuilder, { text = '', html = '' }: PostalMime.Email): void {
    for (const part of bodyParts(text, html)) {
      if (part === 'plain') writePlain(builder, withoutControls(text).replace(ARMOURED, ENCRYPTED));
      else writeHtml(builder, withoutControls(html), this.limits);
    }
    for (const write of this.below) write(builder);
  }
}

/** Mails in transport form (EML, RFC 5322), in any character set, with their attachments. */
export class EmlReader extends WholeReader {
  readonly name = 'eml';

  read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    return new MailReading(limits).read(bytes);
  }
}
