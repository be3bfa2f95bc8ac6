import { cleanText } from '../../clean-text';
import { charactersOf, decodeAs } from '../text/text-encoding';
import { wideEncodingOf } from '../text/wide-encoding';

/** The range in which browsers look for the encoding, too. */
const LOOKED_AT = 4_096;
const DECLARED = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([A-Za-z0-9._:-]{1,40})/i;

const isUtf8 = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** Decodes a page: by its byte order mark, else by its declared encoding, else by its bytes. */
export const decodeHtml = (bytes: Buffer): string => {
  const label = DECLARED.exec(bytes.toString('latin1', 0, LOOKED_AT))?.[1];
  // A page that declares UTF-8 may have another encoding; valid UTF-8 is detectable.
  const isNamed = label !== undefined && !/^utf/i.test(label) && !isUtf8(bytes) && wideEncodingOf(bytes) === undefined;
  return cleanText((isNamed ? decodeAs(bytes, label) : undefined) ?? charactersOf(bytes));
};
