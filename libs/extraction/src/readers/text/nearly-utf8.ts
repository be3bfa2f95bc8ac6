import { isUtf8 } from 'node:buffer';

/** Valid sequences for each stray byte: a text of single bytes contains valid ones by chance, and far fewer. */
const LEAST_SHARE = 4;

/** Bytes after the first one of a sequence; undefined for a byte that begins none. */
const lengthFrom = (byte: number): number | undefined => {
  if (byte >= 0xc2 && byte <= 0xdf) return 1;
  if (byte >= 0xe0 && byte <= 0xef) return 2;
  return byte >= 0xf0 && byte <= 0xf4 ? 3 : undefined;
};

/** The length of the valid sequence at a place; 0 without one. */
const sequenceAt = (bytes: Buffer, at: number): number => {
  const more = lengthFrom(bytes[at] ?? 0);
  if (more === undefined || at + more >= bytes.length) return 0;
  for (let next = 1; next <= more; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return more + 1;
};

interface Evidence {
  readonly valid: number;
  /** Places of bytes that belong to no sequence. */
  readonly stray: readonly number[];
}

const evidenceIn = (bytes: Buffer): Evidence => {
  const stray: number[] = [];
  let valid = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const length = sequenceAt(bytes, at);
    if (length === 0) stray.push(at);
    else {
      valid += 1;
      at += length - 1;
    }
  }
  return { valid, stray };
};

/**
 * The characters of UTF-8 with a few stray bytes, such as a line that another program appended: each stray byte is read
 * alone. Undefined for bytes that are rather a text of single bytes.
 * @param decodeByte the character of a stray byte
 */
export const nearlyUtf8 = (bytes: Buffer, decodeByte: (byte: Buffer) => string): string | undefined => {
  const { valid, stray } = evidenceIn(bytes);
  if (valid < Math.max(1, stray.length * LEAST_SHARE)) return undefined;
  const pieces: string[] = [];
  let from = 0;
  for (const at of stray) {
    pieces.push(bytes.toString('utf8', from, at), decodeByte(bytes.subarray(at, at + 1)));
    from = at + 1;
  }
  return pieces.concat(bytes.toString('utf8', from)).join('');
};

const LINE_FEED = 10;
/** Share of the lines beyond ASCII that are UTF-8, and their least number: lines of single bytes are so by chance alone. */
const LEAST_LINES = { share: 0.2, count: 2 } as const;

const linesOf = (bytes: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
    lines.push(bytes.subarray(from, at + 1));
    from = at + 1;
  }
  return [...lines, bytes.subarray(from)];
};

/**
 * The characters of a text that programs with two encodings wrote by lines, such as a log: those that are UTF-8, and the
 * others together. Undefined for a text with too few lines in UTF-8.
 * @param decodeOthers the characters of lines of single bytes, which keeps their line ends
 */
export const partlyUtf8 = (bytes: Buffer, decodeOthers: (bytes: Buffer) => string): string | undefined => {
  const lines = linesOf(bytes);
  const beyondAscii = lines.filter((line) => line.some((byte) => byte >= 0x80));
  const others = beyondAscii.filter((line) => !isUtf8(line));
  const valid = beyondAscii.length - others.length;
  if (valid < LEAST_LINES.count || valid < beyondAscii.length * LEAST_LINES.share) return undefined;
  const decoded = decodeOthers(Buffer.concat(others)).split('\n');
  const isOther = new Set(others);
  let next = 0;
  return lines
    .map((line) => {
      if (!isOther.has(line)) return line.toString('utf8');
      const text = decoded[next] ?? '';
      next += 1;
      return line.at(-1) === LINE_FEED ? `${text}\n` : text;
    })
    .join('');
};
