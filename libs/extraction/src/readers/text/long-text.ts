import type { ReadLimits } from '../../reader';
import { type ExtractionReport, PartTally } from '../../report';
import { decodeText } from './text-encoding';
import { wideEncodingOf } from './wide-encoding';

/** A part of a long file ends at a whole character of every encoding, and at a line where one is near. */
const UNIT = 4;
const LINE = 4_096;
const LINE_END = 10;

/** The text of a file, or of its beginning and end, with what was left out. */
export interface ReadText {
  readonly text: string;
  readonly report?: ExtractionReport;
}

const headOf = (bytes: Buffer, length: number, isWide: boolean): Buffer => {
  const end = isWide ? -1 : bytes.lastIndexOf(LINE_END, length);
  return bytes.subarray(0, end > length - LINE && end > 0 ? end + 1 : length - (length % UNIT));
};

const tailOf = (bytes: Buffer, length: number, isWide: boolean): Buffer => {
  const start = bytes.length - length;
  const line = isWide ? -1 : bytes.indexOf(LINE_END, start);
  // A multiple of the unit keeps the halves of wide characters together.
  return bytes.subarray(line >= 0 && line < start + LINE ? line + 1 : start + ((UNIT - (start % UNIT)) % UNIT));
};

const counted = new Intl.NumberFormat('es');

/**
 * The text of a file. Of a file with more bytes than characters may be read it is the beginning and the end, with a note
 * between them.
 */
export const beginningAndEnd = (bytes: Buffer, { characters }: Pick<ReadLimits, 'characters'>): ReadText => {
  if (bytes.length <= characters) return { text: decodeText(bytes) };
  const half = Math.max(UNIT, Math.floor(characters / 2));
  const isWide = wideEncodingOf(bytes) !== undefined;
  const [head, tail] = [headOf(bytes, half, isWide), tailOf(bytes, half, isWide)];
  const left = bytes.length - head.length - tail.length;
  const note = `[Faltan aquí ${counted.format(left)} bytes: el archivo es demasiado largo y se leen su principio y su final.]`;
  const tally = new PartTally();
  tally.count('BYTE', bytes.length);
  tally.read('BYTE', head.length + tail.length);
  tally.leaveOut('BYTE', 'LIMIT', left);
  const text = [decodeText(head).trimEnd(), note, decodeText(tail).trimStart()].join('\n\n');
  return { text, report: tally.report() };
};
