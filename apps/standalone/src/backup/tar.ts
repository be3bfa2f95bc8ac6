import { Readable } from 'node:stream';

/** A file or directory of an archive. */
export interface TarEntry {
  /** Relative, with slashes; that of a directory ends with one. */
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

const BLOCK = 512;
const PREFIX_AT = 345;
const LONGEST = { name: 100, prefix: 155 } as const;
const OWNER_ONLY = { file: '0000600', directory: '0000700' } as const;
/** Sizes are eleven octal digits. */
const MOST_BYTES = 8 ** 11;

/** The archive is cut, damaged, or none. */
export class TarDamaged extends Error {}

/** A long name is split at a slash into a prefix and the rest. */
const splitName = (name: string): { readonly prefix: string; readonly rest: string } => {
  if (Buffer.byteLength(name) <= LONGEST.name) return { prefix: '', rest: name };
  for (let at = name.indexOf('/'); at > 0 && at <= LONGEST.prefix; at = name.indexOf('/', at + 1)) {
    const rest = name.slice(at + 1);
    if (rest !== '' && Buffer.byteLength(rest) <= LONGEST.name) return { prefix: name.slice(0, at), rest };
  }
  throw new Error(`The path ${name} is too long for an archive.`);
};

const sumOf = (header: Buffer): number => {
  const blank = Buffer.from(header);
  blank.fill(' ', 148, 156);
  return blank.reduce((sum, byte) => sum + byte, 0);
};

const headerOf = (name: string, bytes: number): Buffer => {
  if (bytes >= MOST_BYTES) throw new Error(`${name} is too large for an archive.`);
  const isDirectory = name.endsWith('/');
  const { prefix, rest } = splitName(name);
  const header = Buffer.alloc(BLOCK);
  header.write(rest, 0);
  header.write(isDirectory ? OWNER_ONLY.directory : OWNER_ONLY.file, 100);
  header.write('0000000', 108);
  header.write('0000000', 116);
  header.write(bytes.toString(8).padStart(11, '0'), 124);
  header.write('00000000000', 136);
  header.write(isDirectory ? '5' : '0', 156);
  header.write('ustar\u000000', 257);
  header.write(prefix, PREFIX_AT);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

const paddingOf = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK;

/** The bytes of an archive (tar, ustar). @throws where the content of an entry is not as long as it says */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const { name, bytes, content } of entries) {
    yield headerOf(name, bytes);
    let written = 0;
    for await (const part of content) {
      written += part.length;
      yield part;
    }
    if (written !== bytes) throw new Error(`${name} changed while it was read.`);
    yield Buffer.alloc(paddingOf(bytes));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Reads a stream by numbers of bytes. */
class Blocks {
  private buffer: Buffer = Buffer.alloc(0);
  private readonly source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** At most so many bytes, at least one. @throws TarDamaged at the end */
  async some(most: number): Promise<Buffer> {
    while (this.buffer.length === 0) {
      const next = await this.source.next();
      if (next.done === true) throw new TarDamaged('The archive ends too early.');
      this.buffer = next.value;
    }
    const part = this.buffer.subarray(0, most);
    this.buffer = this.buffer.subarray(part.length);
    return part;
  }

  async exactly(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = bytes; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await this.some(left));
    return Buffer.concat(parts);
  }

  /** Reads to the end, so that what checks the stream has seen all of it. */
  async drain(): Promise<void> {
    for (let next = await this.source.next(); next.done !== true; next = await this.source.next());
  }
}

const textAt = (header: Buffer, from: number, length: number): string => {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
};

const readHeader = (header: Buffer): { readonly name: string; readonly bytes: number } => {
  const sum = Number.parseInt(textAt(header, 148, 8), 8);
  if (sum !== sumOf(header)) throw new TarDamaged('A header of the archive is damaged.');
  const prefix = textAt(header, PREFIX_AT, LONGEST.prefix);
  const rest = textAt(header, 0, LONGEST.name);
  return { name: prefix === '' ? rest : `${prefix}/${rest}`, bytes: Number.parseInt(textAt(header, 124, 12), 8) };
};

async function* contentOf(blocks: Blocks, bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0;) {
    const part = await blocks.some(left);
    left -= part.length;
    yield part;
  }
}

/**
 * The entries of an archive that `tarOf` made. Each content is read before the next entry is asked for.
 * @throws TarDamaged
 */
export async function* entriesOf(archive: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const blocks = new Blocks(archive);
  for (;;) {
    const header = await blocks.exactly(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const { name, bytes } = readHeader(header);
    yield { name, bytes, content: Readable.from(contentOf(blocks, bytes)) };
    await blocks.exactly(paddingOf(bytes));
  }
  await blocks.drain();
}
