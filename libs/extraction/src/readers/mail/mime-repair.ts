import { isUtf8 } from 'node:buffer';
import { encodingExists } from 'iconv-lite';
import { charactersOf } from '../text';
import { contentOf, type MimePart, parameterOf } from './mime-tree';

const isAscii = (bytes: Buffer): boolean => !bytes.some((byte) => byte >= 0x80);

/** Encodings of single bytes: UTF-8 under their name is valid by chance in no real text. */
const SINGLE = /^(?:us-ascii|ascii|iso-?8859|latin|windows-?125|cp125|koi8|macintosh)/i;

/** Whether a text is not in the charset that its part names. */
const isMisnamed = (content: Buffer, charset: string | undefined): boolean => {
  if (charset === undefined) return !isAscii(content);
  if (!encodingExists(charset)) return true;
  if (/^utf-?8$/i.test(charset)) return !isUtf8(content);
  return SINGLE.test(charset) && !isAscii(content) && isUtf8(content);
};

const CHARSET = /;\s{0,9}charset\s{0,9}=\s{0,9}(?:"[^"]{0,200}"|[^;\s]{1,200})/i;
const CONTENT = /^content-(?:type|transfer-encoding):[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/** A part of text again, in UTF-8. */
const inUtf8 = (part: MimePart, content: Buffer): Buffer => {
  const declared = part.headers.get('content-type') ?? part.type;
  const type = `Content-Type: ${declared.replace(CHARSET, '')}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n`;
  const others = readableHeader(part.header).toString('utf8').replace(CONTENT, '').trimStart();
  return Buffer.from(`${type}${others === '' ? '\r\n' : others}${charactersOf(content)}`);
};

/** A header with raw letters of another encoding, in UTF-8. */
const readableHeader = (header: Buffer): Buffer => (isUtf8(header) ? header : Buffer.from(charactersOf(header)));

const isAttached = ({ headers }: MimePart): boolean => /^attachment/i.test(headers.get('content-disposition') ?? '');

const leafAgain = (part: MimePart): Buffer => {
  if (part.type.startsWith('text/') && !isAttached(part)) {
    const content = contentOf(part);
    const charset = parameterOf(part.headers.get('content-type') ?? '', 'charset');
    if (isMisnamed(content, charset)) return inUtf8(part, content);
  }
  // The default of a digest is a mail, which parsers of single parts do not know.
  if (part.type === 'message/rfc822' && !part.headers.has('content-type'))
    return Buffer.concat([Buffer.from('Content-Type: message/rfc822\r\n'), part.header, part.body]);
  return isUtf8(part.header) ? part.bytes : Buffer.concat([readableHeader(part.header), part.body]);
};

/**
 * A mail whose headers and texts name the encoding that they have: raw letters in headers, no charset, a wrong or an
 * unknown one become UTF-8. A sound mail stays as it is.
 */
export const repaired = (part: MimePart): Buffer => {
  if (part.parts === null) return leafAgain(part);
  const parts = part.parts.map(repaired);
  const isSame = isUtf8(part.header) && parts.every((bytes, index) => bytes === part.parts?.[index]?.bytes);
  if (isSame) return part.bytes;
  const pieces = part.between.flatMap((before, index) => [before, parts[index] ?? Buffer.alloc(0)]);
  return Buffer.concat([readableHeader(part.header), ...pieces]);
};
