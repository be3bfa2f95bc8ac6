import { DamagedFile, LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';
import type { CmsContent } from '../signed';
import { contentOf, type MimePart, mimeTree, parameterOf } from './mime-tree';

/** The line that mailboxes write before each mail. */
const MAILBOX_LINE = /^(?:\r?\n)*From [^\n]{1,1000}\n/;
/** Apple Mail writes the number of bytes before a mail, and a list of properties behind it. */
const APPLE_LENGTH = /^(\d{1,10})[ \t]*\r?\n(?=[!-9;-~]{1,100}:)/;
/** Media types of content that is signed opaquely. */
export const OPAQUE = /^application\/(?:x-)?pkcs7-mime$/;
const OPAQUE_NAME = /\.p7m$/i;
const OWN_HEADERS = /^(?:content-[\w-]{1,60}|mime-version):[^\n]*\n(?:[ \t][^\n]*\n)*/gim;
const HEADER_LINE = /^[!-9;-~]{1,100}:/;

/** A mail without the signature around it. */
export interface OpenedMail {
  readonly root: MimePart;
  /** Signatures around its content that were opened. */
  readonly signatures: number;
  /** Whether its content is encrypted: only the headers can be read. */
  readonly isEncrypted: boolean;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The mail in what programs store: without a byte order mark, the line of a mailbox, the length and the list of Apple. */
const storedMail = (stored: Buffer): Buffer => {
  const isMarked = stored.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const bytes = isMarked ? stored.subarray(BYTE_ORDER_MARK.length) : stored;
  const start = bytes.toString('latin1', 0, 1_100);
  const length = APPLE_LENGTH.exec(start);
  if (length !== null) return bytes.subarray(length[0].length, length[0].length + Number(length[1]));
  return bytes.subarray(MAILBOX_LINE.exec(start)?.[0].length ?? 0);
};

/** Whether a part is signed content; some gateways declare it as any bytes and give it a name that ends in `.p7m`. */
const isOpaque = ({ type, headers }: MimePart): boolean => {
  if (OPAQUE.test(type)) return true;
  const name =
    parameterOf(headers.get('content-type') ?? '', 'name') ??
    parameterOf(headers.get('content-disposition') ?? '', 'filename');
  return type === 'application/octet-stream' && OPAQUE_NAME.test(name ?? '');
};

/** The signed entity under the headers of the mail that carries it. */
const inside = ({ header }: MimePart, content: Buffer): Buffer => {
  const outer = header.toString('latin1').replace(OWN_HEADERS, '').trimEnd();
  const hasHeader = HEADER_LINE.test(content.toString('latin1', 0, 101));
  if (outer === '' && hasHeader) return content;
  const start = hasHeader ? '\r\n' : '\r\n\r\n';
  return Buffer.concat([Buffer.from(`${outer}${start}`, 'latin1'), content]);
};

/** Null for what is no signed content: a faulty container, certificates alone or compressed content. */
const opened = async (part: MimePart): Promise<Exclude<CmsContent, { kind: 'detached' }> | null> => {
  // Few mails are signed this way, so the library is loaded for the first of them.
  const { openCms } = await import('../signed/index.js');
  try {
    const content = openCms(contentOf(part));
    return content.kind === 'detached' ? null : content;
  } catch (error) {
    if (error instanceof DamagedFile) return null;
    throw error;
  }
};

/**
 * Opens opaque signatures (S/MIME) around a mail. Signatures are not verified. A container that cannot be opened stays
 * a part of the mail. @throws LimitExceeded
 */
export const unwrapped = async (bytes: Buffer, limits: Pick<ReadLimits, 'entries' | 'depth'>): Promise<OpenedMail> => {
  let root = mimeTree(storedMail(bytes), limits);
  for (let signatures = 0; signatures <= limits.depth; signatures += 1) {
    if (root.type === 'multipart/encrypted') return { root, signatures, isEncrypted: true };
    if (!isOpaque(root)) return { root, signatures, isEncrypted: false };
    const content = await opened(root);
    if (content === null) return { root, signatures, isEncrypted: false };
    if (content.kind === 'encrypted') return { root, signatures, isEncrypted: true };
    root = mimeTree(inside(root, content.bytes), limits);
  }
  throw new LimitExceeded('signatures around signatures', limits.depth);
};
