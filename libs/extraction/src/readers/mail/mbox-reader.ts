import { DamagedFile, LimitExceeded } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { TextBuilder } from '../../text-builder';
import { AttachmentList } from '../../attachment-list';

const MARK = Buffer.from('From ');
const [LINE_FEED, RETURN] = [10, 13];
/** A line before a mail names the sender and ends with the year. */
const LINE = /^From \S{1,500} .{5,100}\d{4}(?: [+-]\d{4})?\r?$/;
const LONGEST_LINE = 700;
/** A line of a mail that begins with `From ` is quoted, once for each nesting. */
const QUOTED = /^>(>{0,20}From )/gm;
const DIGITS = 5;

const lineAt = (bytes: Buffer, at: number): string => {
  const end = bytes.indexOf(LINE_FEED, at);
  return bytes.toString('latin1', at, end < 0 || end > at + LONGEST_LINE ? at + LONGEST_LINE : end);
};

const followsBlankLine = (bytes: Buffer, at: number): boolean => {
  if (at === 0) return true;
  const before = bytes[at - 2] === RETURN ? at - 3 : at - 2;
  return bytes[at - 1] === LINE_FEED && (before < 0 || bytes[before] === LINE_FEED);
};

/** Where the mails of a mailbox begin. @throws LimitExceeded */
const beginnings = (bytes: Buffer, { entries }: Pick<ReadLimits, 'entries'>): number[] => {
  const found: number[] = [];
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) {
    if (!followsBlankLine(bytes, at) || !LINE.test(lineAt(bytes, at))) continue;
    if (found.length >= entries) throw new LimitExceeded('mails in a mailbox', entries);
    found.push(at);
  }
  return found;
};

const unquoted = (mail: Buffer): Buffer =>
  mail.includes('\n>From ') ? Buffer.from(mail.toString('latin1').replace(QUOTED, '$1'), 'latin1') : mail;

/** Mailboxes (mbox): each mail becomes a document of its own. */
export class MboxReader extends WholeReader {
  readonly name = 'mbox';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const starts = beginnings(bytes, limits);
    if (starts.length === 0) throw new DamagedFile();
    const attachments = new AttachmentList(limits);
    starts.forEach((start, index) => {
      const body = bytes.indexOf(LINE_FEED, start) + 1;
      const mail = bytes.subarray(body > 0 ? body : bytes.length, starts[index + 1] ?? bytes.length);
      // Names that stay while mails are appended.
      attachments.add(`correo-${String(index + 1).padStart(DIGITS, '0')}.eml`, 'message/rfc822', unquoted(mail));
    });
    const tally = new PartTally();
    tally.count('MESSAGE', starts.length);
    tally.read('MESSAGE', starts.length);
    const builder = new TextBuilder(limits);
    builder.paragraph(starts.length === 1 ? 'Buzón con 1 correo.' : `Buzón con ${starts.length} correos.`);
    return { document: { ...builder.build(), title: null }, attachments: attachments.items, report: tally.report() };
  }
}
