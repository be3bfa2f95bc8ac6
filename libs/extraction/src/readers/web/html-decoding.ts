import { cleanText } from '../text/clean-text';
import { charactersOf, decodeAs } from '../text/text-encoding';

/** Where browsers look for it, too. */
const LOOKED_AT = 4_096;
const DECLARED = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([A-Za-z0-9._:-]{1,40})/i;

const isUtf8 = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
const isUtf16 = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) ||
  (bytes[0] === 0xfe && bytes[1] === 0xff) ||
  bytes.subarray(0, 4).includes(0);

/** The characters of a page: by its mark, else by the encoding that it names, else by what they look like. */
export const decodeHtml = (bytes: Buffer): string => {
  const label = DECLARED.exec(bytes.toString('latin1', 0, LOOKED_AT))?.[1];
  // A page that names UTF-8 may still be something else: valid UTF-8 is told by itself.
  const isNamed = label !== undefined && !/^utf/i.test(label) && !isUtf8(bytes) && !isUtf16(bytes);
  return cleanText((isNamed ? decodeAs(bytes, label) : undefined) ?? charactersOf(bytes));
};
