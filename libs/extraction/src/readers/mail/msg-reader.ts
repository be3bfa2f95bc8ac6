import { decompressRTF } from '@kenjiuno/decompressrtf';
import MsgFile, { type FieldsData } from '@kenjiuno/msgreader';
import iconv from 'iconv-lite';
import { DamagedFile, ExtractionRefusal } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import type { TextBuilder } from '../../text-builder';
import { assertSoundCompoundFile, isCompoundFile } from '../archive';
import { encodingOf, RtfBody, RtfDocument } from '../rtf';
import { AttachmentList } from '../../attachment-list';
import { composeMail, personOf, writeHtml, writePlain } from './mail-text';

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
  const html = htmlOf(fields);
  if (fields.body !== undefined && fields.body.trim() !== '') writePlain(builder, fields.body);
  else if (html !== '') writeHtml(builder, html, limits);
  else if (fields.compressedRtf !== undefined) {
    const rtf = Buffer.from(decompressRTF([...fields.compressedRtf]));
    new RtfDocument(new RtfBody(new FlowWriter(builder), builder), limits).read(rtf);
  }
};

const attachmentsOf = ({ file, fields }: OpenMsg, limits: ReadLimits): AttachmentList => {
  const list = new AttachmentList(limits);
  const html = htmlOf(fields);
  for (const each of fields.attachments ?? []) {
    // Pictures in the body, such as logos in signatures, are part of it and not documents.
    const isShown = each.pidContentId !== undefined && html.includes(`cid:${each.pidContentId}`);
    if (each.attachmentHidden === true || isShown) continue;
    const { fileName, content } = file.getAttachment(each);
    const name = each.innerMsgContent === true ? `${each.name ?? fileName.replace(/\.msg$/i, '')}.msg` : fileName;
    list.add(name, each.attachMimeTag ?? '', Buffer.from(content));
  }
  return list;
};

const readMsg = (bytes: Buffer, limits: ReadLimits): Extraction => {
  if (!isCompoundFile(bytes)) throw new DamagedFile();
  assertSoundCompoundFile(bytes);
  const msg = open(bytes);
  const { fields } = msg;
  const sent = SENT.exec(fields.headers?.slice(0, 100_000) ?? '')?.[1];
  const mail = {
    from: personOf(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    to: peopleOf(fields, 'to'),
    cc: peopleOf(fields, 'cc'),
    date: sent ?? fields.clientSubmitTime ?? fields.messageDeliveryTime,
    subject: fields.subject,
    body: (builder: TextBuilder): void => writeBody(builder, fields, limits),
    attachments: attachmentsOf(msg, limits).items,
  };
  return composeMail(mail, limits);
};

/** Mails of Outlook (MSG), with their attachments. */
export class MsgReader extends WholeReader {
  readonly name = 'msg';

  read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    return Promise.resolve()
      .then(() => readMsg(bytes, limits))
      .catch((error: unknown) => {
        // The library reports a faulty file with its own error classes.
        throw error instanceof ExtractionRefusal ? error : new DamagedFile();
      });
  }
}
