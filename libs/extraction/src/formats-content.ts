import { fileTypeFromBuffer } from 'file-type/node';
import { kindOfCompound, kindOfZip } from './formats-containers';

const starts = (bytes: Buffer, mark: string): boolean =>
  bytes.subarray(0, mark.length).equals(Buffer.from(mark, 'latin1'));

/** Programs look for the beginning of a PDF this far. */
const PDF_WITHIN = 1_024;
/** As much of a text as tells what it is. */
const SAMPLE = 4_096;
const TEXT_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff', '\u00ef\u00bb\u00bf'];
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('latin1');

/** Whether bytes begin with the mark of an encoding: then they are text, whatever else they look like. */
const hasTextMark = (bytes: Buffer): boolean => TEXT_MARKS.some((mark) => starts(bytes, mark));

/** Whether bytes are text: no control characters except those that texts have. */
export const looksLikeText = (bytes: Buffer): boolean => {
  if (hasTextMark(bytes)) return true;
  const sample = bytes.subarray(0, SAMPLE);
  return sample.length > 0 && !sample.some((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte));
};

/** The kind of a text by what it begins with; `text` where that says nothing. */
export const kindOfText = (bytes: Buffer): 'html' | 'xml' | 'json' | 'eml' | 'text' => {
  const sample = bytes.subarray(0, SAMPLE).toString('latin1').trimStart();
  if (/^(?:<!doctype\s+html|<html)[\s>]/i.test(sample)) return 'html';
  if (/^<\?xml\s/i.test(sample)) return /<html[\s>]/i.test(sample) ? 'html' : 'xml';
  if (/^[[{]\s*["[{]/.test(sample)) return 'json';
  return /^(?:Received|From|Return-Path|Delivered-To|Message-ID|MIME-Version): /i.test(sample) ? 'eml' : 'text';
};

/**
 * What the content of a file says that it is: the name of a format, or of something that nobody reads here; undefined
 * where it says nothing, as texts do. What stands at the very beginning decides: whatever else may be hidden behind it
 * is not looked for, so that a file that is several things at once is always the same one.
 */
export const kindOfContent = async (bytes: Buffer): Promise<string | undefined> => {
  if (hasTextMark(bytes)) return undefined;
  if (starts(bytes, '{\\rtf')) return 'rtf';
  if (starts(bytes, '%PDF-')) return 'pdf';
  if (starts(bytes, COMPOUND)) return kindOfCompound(bytes);
  if (starts(bytes, 'PK\u0003\u0004')) return kindOfZip(bytes);
  // Some signatures are a few letters, with which a text may begin as well.
  if (looksLikeText(bytes)) return undefined;
  return (await fileTypeFromBuffer(bytes.subarray(0, SAMPLE)).catch(() => undefined))?.ext;
};

/** Whether a PDF begins after something that does not belong to it. */
export const holdsLatePdf = (bytes: Buffer): boolean => bytes.subarray(0, PDF_WITHIN).includes('%PDF-');
