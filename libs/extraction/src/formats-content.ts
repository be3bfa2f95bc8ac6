import { kindOfCompound, kindOfZip } from './formats-containers';
import { wideEncodingOf } from './readers/text/wide-encoding';

const starts = (bytes: Buffer, mark: string): boolean =>
  bytes.subarray(0, mark.length).equals(Buffer.from(mark, 'latin1'));

/** The range in which programs look for the beginning of a PDF. */
const PDF_WITHIN = 1_024;
/** Bytes of a text that suffice to identify its kind. */
const SAMPLE = 4_096;
const TEXT_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff', '\u00ef\u00bb\u00bf', '\u0000\u0000\u00fe\u00ff'];
/** Stray zeros in a text: so many, or so large a share of its bytes. */
const MOST_STRAY = 4;
const STRAY_SHARE = 0.02;
/** The beginning of a file `winmail.dat`. */
const TNEF = '\u0078\u009f\u003e\u0022';
/** A sequence whose first element is a kind of PKCS #7. */
const CMS = Buffer.from('06092a864886f70d0107', 'hex');
/** Content that is encrypted and sealed (RFC 5083). */
const SEALED = Buffer.from('060b2a864886f70d0109100117', 'hex');
const CMS_WITHIN = 24;
const isCms = (bytes: Buffer): boolean =>
  bytes[0] === 0x30 && [CMS, SEALED].some((kind) => bytes.subarray(0, CMS_WITHIN).includes(kind));
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('latin1');

/** Whether bytes begin with the mark of an encoding: then they are text. */
const hasTextMark = (bytes: Buffer): boolean => TEXT_MARKS.some((mark) => starts(bytes, mark));

/** Whether bytes are text: UTF-16, UTF-32, or no control characters except those that texts have and stray zeros. */
export const looksLikeText = (bytes: Buffer): boolean => {
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.length === 0 || hasTextMark(bytes)) return sample.length > 0;
  const controls = sample.filter((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte));
  const isStray = controls.every((byte) => byte === 0);
  if (isStray && controls.length <= Math.max(MOST_STRAY, sample.length * STRAY_SHARE))
    return controls.length < sample.length;
  return wideEncodingOf(sample) !== undefined;
};

/** The beginning of a text, in the encoding that its mark names, without the mark and white space. */
const beginningOf = (bytes: Buffer): string => {
  const sample = bytes.subarray(0, SAMPLE);
  if (starts(bytes, '\u00ff\u00fe')) return sample.toString('utf16le', 2).trimStart();
  if (starts(bytes, '\u00fe\u00ff'))
    return Buffer.from(sample.subarray(2, sample.length & ~1))
      .swap16()
      .toString('utf16le')
      .trimStart();
  return sample
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
};

/** Namespace of the workbooks in XML that Excel 2003 writes. */
const XML_WORKBOOK = 'urn:schemas-microsoft-com:office:spreadsheet';

/** The first element of a flat OpenDocument file, and its namespace. */
const FLAT_DOCUMENT = /<office:document\s/;
const OPEN_DOCUMENT = 'opendocument:xmlns:office:1.0';

/** Headers that every mail has, and those that a program writes. */
const HEADER_BLOCK = /^(?:[!-9;-~]{1,100}:[^\n]*\n(?:[ \t][^\n]*\n)*)+/;
const FROM = /^from:/im;
const BY_PROGRAM = /^(?:date|message-id|received|mime-version|return-path):/im;

/** Whether a text begins with the headers of a mail, also behind the length that Apple Mail writes. */
const startsLikeMail = (sample: string): boolean => {
  const headers = HEADER_BLOCK.exec(sample.replace(/^\d{1,10}[ \t]*\r?\n/, ''))?.[0] ?? '';
  return FROM.test(headers) && BY_PROGRAM.test(headers);
};

type TextKind = 'html' | 'xls' | 'opendocument' | 'xml' | 'json' | 'eml' | 'mbox' | 'mhtml' | 'text';

/** The kind of a text by its beginning; `text` if that is undecided. */
export const kindOfText = (bytes: Buffer): TextKind => {
  const sample = beginningOf(bytes);
  if (/^(?:<!doctype\s+html|<html)[\s>]/i.test(sample)) return 'html';
  if (/^<\?xml\s/i.test(sample)) {
    if (sample.includes(XML_WORKBOOK)) return 'xls';
    if (FLAT_DOCUMENT.test(sample) && sample.includes(OPEN_DOCUMENT)) return 'opendocument';
    return /<html[\s>]/i.test(sample) ? 'html' : 'xml';
  }
  if (/^[[{]\s*["[{]/.test(sample)) return 'json';
  if (/^From \S{1,200} .{5,60}\d{4}\r?\n[\w-]{1,60}:/.test(sample)) return 'mbox';
  if (/^(?:From: <Saved by|MIME-Version:[^]{0,200}multipart\/related;)/i.test(sample)) return 'mhtml';
  if (startsLikeMail(sample)) return 'eml';
  return /^(?:Received|From|Return-Path|Delivered-To|Message-ID|MIME-Version): /i.test(sample) ? 'eml' : 'text';
};

/** Whether a text begins as HTML does that programs write without its outer elements. */
export const startsLikeHtml = (bytes: Buffer): boolean =>
  /^<(?:!--|table|meta|head|body|style|title|div|span|center|font|p|b|h[1-6]|br)[\s>/-]?/i.test(beginningOf(bytes));

/** Workbooks of Excel 2 to 4 are not compound files: they begin with the record of their version. */
const isEarlyWorkbook = (bytes: Buffer): boolean =>
  [Buffer.from([9, 0, 4, 0]), Buffer.from([9, 2, 6, 0]), Buffer.from([9, 4, 6, 0])].some((mark) =>
    bytes.subarray(0, mark.length).equals(mark),
  );

/**
 * The kind of a file by its content: a format, or a kind without a reader; undefined if the content does not identify
 * it, as with texts. Only the very beginning decides, so a file of several kinds always gets the same one.
 */
export const kindOfContent = async (bytes: Buffer): Promise<string | undefined> => {
  if (hasTextMark(bytes)) return undefined;
  if (starts(bytes, '{\\rtf')) return 'rtf';
  if (starts(bytes, '%PDF-')) return 'pdf';
  if (starts(bytes, COMPOUND)) return kindOfCompound(bytes);
  if (starts(bytes, 'PK\u0003\u0004')) return kindOfZip(bytes);
  if (isEarlyWorkbook(bytes)) return 'xls';
  if (starts(bytes, TNEF)) return 'tnef';
  if (isCms(bytes)) return 'cms';
  // Some signatures are a few letters, which a text may begin with as well.
  if (looksLikeText(bytes)) return undefined;
  // Only files of unknown formats come here, so the library is loaded for the first of them.
  const { fileTypeFromBuffer } = await import('file-type/node');
  return (await fileTypeFromBuffer(bytes.subarray(0, SAMPLE)).catch(() => undefined))?.ext;
};

/** Whether a PDF begins after foreign bytes. */
export const holdsLatePdf = (bytes: Buffer): boolean => bytes.subarray(0, PDF_WITHIN).includes('%PDF-');
