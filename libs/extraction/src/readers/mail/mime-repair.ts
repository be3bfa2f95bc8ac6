import { isUtf8 } from 'node:buffer';
import { decode, encodingExists } from 'iconv-lite';
import { charactersOf } from '../text';
import { unflowed } from './flowed';
import { contentOf, type MimePart, parameterOf } from './mime-tree';

const isAscii = (bytes: Buffer): boolean => !bytes.some((byte) => byte >= 0x80);

/** Encodings of single bytes: UTF-8 under their name is valid by chance in no real text. */
const SINGLE = /^(?:us-ascii|ascii|iso-?8859|latin|windows-?125|cp125|koi8|macintosh)/i;

/** Whether the parser of mails knows a charset. */
const isParsed = (charset: string): boolean => {
  try {
    return new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
};

/** The characters of a text that the parser would read in another charset; undefined where it reads the right one. */
const misreadText = (content: Buffer, charset: string | undefined): string | undefined => {
  if (charset === undefined) return isAscii(content) ? undefined : charactersOf(content);
  if (isParsed(charset)) {
    const isWrong = /^utf-?8$/i.test(charset)
      ? !isUtf8(content)
      : SINGLE.test(charset) && !isAscii(content) && isUtf8(content);
    return isWrong ? charactersOf(content) : undefined;
  }
  return encodingExists(charset) ? decode(content, charset) : charactersOf(content);
};

const CHARSET = /;\s{0,9}charset\s{0,9}=\s{0,9}(?:"[^"]{0,200}"|[^;\s]{1,200})/i;
const CONTENT = /^content-(?:type|transfer-encoding):[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

const FLOWED = /;\s{0,9}(?:format|delsp)\s{0,9}=\s{0,9}"?[\w-]{1,40}"?/gi;

/** A part of text again, in UTF-8, with the lines that its readers see. */
const inUtf8 = (part: MimePart, text: string): Buffer => {
  const declared = (part.headers.get('content-type') ?? part.type).replace(CHARSET, '').replace(FLOWED, '');
  const type = `Content-Type: ${declared}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n`;
  const others = readableHeader(part.header).toString('utf8').replace(CONTENT, '').trimStart();
  return Buffer.from(`${type}${others === '' ? '\r\n' : others}${text}`);
};

/** A header with raw letters of another encoding, in UTF-8. */
const readableHeader = (header: Buffer): Buffer => (isUtf8(header) ? header : Buffer.from(charactersOf(header)));

const isAttached = ({ headers }: MimePart): boolean => /^attachment/i.test(headers.get('content-disposition') ?? '');

/** The text of a part again where the parser would read another one; undefined where it reads the right one. */
const textAgain = (part: MimePart): Buffer | undefined => {
  const content = contentOf(part);
  const declared = part.headers.get('content-type') ?? '';
  const charset = parameterOf(declared, 'charset');
  const misread = misreadText(content, charset);
  const isFlowed = part.type === 'text/plain' && parameterOf(declared, 'format')?.toLowerCase() === 'flowed';
  if (!isFlowed) return misread === undefined ? undefined : inUtf8(part, misread);
  const text = misread ?? new TextDecoder(charset).decode(content);
  return inUtf8(part, unflowed(text, parameterOf(declared, 'delsp')?.toLowerCase() === 'yes'));
};

const leafAgain = (part: MimePart): Buffer => {
  const text = part.type.startsWith('text/') && !isAttached(part) ? textAgain(part) : undefined;
  if (text !== undefined) return text;
  // The default of a digest is a mail, which parsers of single parts do not know.
  if (part.type === 'message/rfc822' && !part.headers.has('content-type'))
    return Buffer.concat([Buffer.from('Content-Type: message/rfc822\r\n'), part.header, part.body]);
  return isUtf8(part.header) ? part.bytes : Buffer.concat([readableHeader(part.header), part.body]);
};

/** Whether bytes are a piece of others; small buffers share their memory without being pieces of each other. */
const isPieceOf = (whole: Buffer, piece: Buffer): boolean =>
  piece.buffer === whole.buffer &&
  piece.byteOffset >= whole.byteOffset &&
  piece.byteOffset + piece.length <= whole.byteOffset + whole.length;

/**
 * A mail whose headers and texts name the encoding that they have: raw letters in headers, no charset, a wrong or an
 * unknown one become UTF-8. A sound mail stays as it is.
 */
export const repaired = (part: MimePart): Buffer => {
  if (part.parts === null) return leafAgain(part);
  const parts = part.parts.map(repaired);
  // A part that got its lost boundary back is no longer a piece of the mail.
  const isSame =
    isUtf8(part.header) &&
    parts.every((bytes, index) => bytes === part.parts?.[index]?.bytes && isPieceOf(part.bytes, bytes));
  if (isSame) return part.bytes;
  const pieces = part.between.flatMap((before, index) => [before, parts[index] ?? Buffer.alloc(0)]);
  return Buffer.concat([readableHeader(part.header), ...pieces]);
};
