import { decompressRTF } from '@kenjiuno/decompressrtf';
import MsgFile, { type FieldsData } from '@kenjiuno/msgreader';
import iconv from 'iconv-lite';
import { DamagedFile, ExtractionRefusal, NoTextFound } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import type { TextBuilder } from '../../text-builder';
import { assertSoundCompoundFile, isCompoundFile } from '../archive';
import { encodingOf, RtfBody, RtfDocument } from '../rtf';
import { AttachmentList } from '../../attachment-list';
import { EmlReader } from './eml-reader';
import { composeMail, type Mail, personOf, writeFuller } from './mail-text';
import { itemLines } from './msg-items';

/** Classes of mails whose content is signed or encrypted. */
const SECURED = /^IPM\.Note\.(?:.+\.)?(?:SMIME|Secure)/i;
const SEQUENCE = 0x30;
const CONTAINER = 'Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: binary\r\n\r\n';
const SENT = /^Date:[ \t]*(\S.{0,100})$/im;

interface OpenMsg {
  readonly file: MsgFile;
  readonly fields: FieldsData;
}

/** Old mails store text in the code page that they name, which is known only after a first pass. */
const open = (bytes: Buffer): OpenMsg => {
  // A separate copy, since the library reads beyond the end of a view.
  const { buffer } = new Uint8Array(bytes);
  const first = new MsgFile(buffer).getFileData();
  const file = new MsgFile(buffer);
  file.parserConfig = { ansiEncoding: encodingOf(first.messageCodepage ?? first.internetCodepage ?? 1252) };
  const fields = file.getFileData();
  // A file without a message class has lost its properties, and with them its content.
  if (fields.dataType !== 'msg' || fields.messageClass === undefined) throw new DamagedFile();
  return { file, fields };
};

const peopleOf = (fields: FieldsData, kind: 'to' | 'cc'): string =>
  (fields.recipients ?? [])
    .filter(({ recipType }) => recipType === kind)
    .map(({ name, email, smtpAddress }) => personOf(name, smtpAddress ?? email))
    .join(', ');

const htmlOf = (fields: FieldsData): string =>
  fields.html === undefined
    ? (fields.bodyHtml ?? '')
    : iconv.decode(Buffer.from(fields.html), encodingOf(fields.internetCodepage ?? 65001));

const writeBody = (builder: TextBuilder, fields: FieldsData, limits: ReadLimits): void => {
  const [text, html] = [fields.body ?? '', htmlOf(fields)];
  for (const line of itemLines(fields)) builder.line(line);
  if (text.trim() !== '' || html.trim() !== '') writeFuller(builder, text, html, limits);
  else if (fields.compressedRtf !== undefined) {
    const rtf = Buffer.from(decompressRTF([...fields.compressedRtf]));
    new RtfDocument(new RtfBody(new FlowWriter(builder), builder), limits).read(rtf);
  }
};

const attachmentsOf = ({ file, fields }: OpenMsg, limits: ReadLimits, tally: PartTally): AttachmentList => {
  const list = new AttachmentList(limits);
  const html = htmlOf(fields);
  const attached = fields.attachments ?? [];
  if (attached.length > 0) tally.count('ATTACHMENT', attached.length);
  for (const each of attached) {
    // Pictures in the body, such as logos in signatures, are part of it and not documents.
    const isShown = each.pidContentId !== undefined && html.includes(`cid:${each.pidContentId}`);
    if (each.attachmentHidden === true || isShown) {
      tally.leaveOut('ATTACHMENT', isShown ? 'PICTURE' : 'HIDDEN');
      continue;
    }
    const { fileName, content } = file.getAttachment(each);
    const name = each.innerMsgContent === true ? `${each.name ?? fileName.replace(/\.msg$/i, '')}.msg` : fileName;
    list.add(name, each.attachMimeTag ?? '', Buffer.from(content));
    tally.read('ATTACHMENT');
  }
  return list;
};

const mailOf = (fields: FieldsData, { body, attachments }: Pick<Mail, 'body' | 'attachments'>): Mail => ({
  from: personOf(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
  to: peopleOf(fields, 'to'),
  cc: peopleOf(fields, 'cc'),
  date:
    SENT.exec(fields.headers?.slice(0, 100_000) ?? '')?.[1] ?? fields.clientSubmitTime ?? fields.messageDeliveryTime,
  subject: fields.subject,
  body,
  attachments,
});

/** A signed or encrypted mail has one attachment, which is the mail itself (S/MIME); null for any other mail. */
const securedContent = ({ file, fields }: OpenMsg): Buffer | null => {
  const [first, ...others] = fields.attachments ?? [];
  if (first === undefined || others.length > 0 || !SECURED.test(fields.messageClass ?? '')) return null;
  return Buffer.from(file.getAttachment(first).content);
};

/** The content of a secured mail, read as the mail that it is; null for one that is damaged or has no text. */
const readEntity = async (content: Buffer, context: ReadContext): Promise<Extraction | null> => {
  const entity = content[0] === SEQUENCE ? Buffer.concat([Buffer.from(CONTAINER), content]) : content;
  try {
    return await new EmlReader().read({ name: 'smime.eml', bytes: entity }, context);
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof NoTextFound) return null;
    throw error;
  }
};

const readSecured = async (msg: OpenMsg, context: ReadContext): Promise<Extraction | null> => {
  const content = securedContent(msg);
  const inner = content === null ? null : await readEntity(content, context);
  if (inner === null) return null;
  const body = (builder: TextBuilder): void => void builder.paragraph(inner.document.text);
  const { document } = composeMail(mailOf(msg.fields, { body, attachments: [] }), context.limits);
  return { ...inner, document };
};

const readMsg = async (bytes: Buffer, context: ReadContext): Promise<Extraction> => {
  const { limits } = context;
  if (!isCompoundFile(bytes)) throw new DamagedFile();
  assertSoundCompoundFile(bytes);
  const msg = open(bytes);
  const { fields } = msg;
  const secured = await readSecured(msg, context);
  if (secured !== null) return secured;
  const tally = new PartTally();
  tally.count('PART');
  tally.read('PART');
  const attachments = attachmentsOf(msg, limits, tally).items;
  const body = (builder: TextBuilder): void => writeBody(builder, fields, limits);
  return { ...composeMail(mailOf(fields, { body, attachments }), limits), report: tally.report() };
};

/** Mails of Outlook (MSG), also signed ones, appointments and contacts, with their attachments. */
export class MsgReader extends WholeReader {
  readonly name = 'msg';

  async read({ bytes }: AcquiredFile, context: ReadContext): Promise<Extraction> {
    try {
      return await readMsg(bytes, context);
    } catch (error) {
      // The library reports a faulty file with its own error classes.
      throw error instanceof ExtractionRefusal ? error : new DamagedFile();
    }
  }
}
