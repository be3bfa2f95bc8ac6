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
