import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { DamagedFile, LimitExceeded, PasswordProtected } from '../../errors';
import type { ReadLimits } from '../../reader';

const LOCAL_HEADER = 30;
/** Small entries may have any ratio, as blank sheets do. */
const RATIO_COUNTS_FROM = 1_000_000;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

/** Names only find entries; some programs write them with backslashes. */
const nameOf = (entry: Entry): string =>
  yauzl
    .getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
    .replaceAll('\\', '/')
    .replace(/^\/+/, '');

const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;

/** Entries that share bytes let a small archive inflate to a large one; no program writes them. */
const assertApart = (entries: readonly Entry[]): void => {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of ordered) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new DamagedFile();
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER + entry.fileNameLength + entry.compressedSize;
  }
};

const openZip = async (bytes: Buffer): Promise<ZipFile> => {
  try {
    return await yauzl.fromBufferPromise(bytes, { decodeStrings: false, autoClose: false });
  } catch {
    throw new DamagedFile();
  }
};

const readEntries = async (zip: ZipFile): Promise<Entry[]> => {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    if (error instanceof Error && error.message.includes('encryption')) throw new PasswordProtected();
    throw new DamagedFile();
  }
  return entries;
};

/**
 * The entries of a zip archive, inflated on demand. Counts the real output during inflation. Never opens a nested
 * archive, follows a link or writes a file.
 */
export class Archive {
  private inflated = 0;

  private readonly inLowerCase: ReadonlyMap<string, Entry>;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: ReadLimits,
  ) {
    this.inLowerCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  }

  /** @throws DamagedFile, LimitExceeded */
  static async open(bytes: Buffer, limits: ReadLimits): Promise<Archive> {
    const zip = await openZip(bytes);
    if (zip.entryCount > limits.entries) throw new LimitExceeded('files in an archive', limits.entries);
    const entries = await readEntries(zip);
    assertApart(entries);
    const named = new Map<string, Entry>();
    for (const entry of entries) {
      const name = nameOf(entry);
      if (named.has(name)) throw new DamagedFile();
      named.set(name, entry);
    }
    return new Archive(zip, named, limits);
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  /** The bytes of an entry as they inflate. @throws DamagedFile if it does not exist. */
  async *stream(name: string): AsyncGenerator<Buffer> {
    const entry = this.find(name);
    if (entry === undefined) throw new DamagedFile();
    if (entry.isEncrypted()) throw new PasswordProtected();
    let checksum = 0;
    let size = 0;
    for await (const chunk of this.inflate(entry)) {
      size += chunk.length;
      this.count(entry, chunk.length, size);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) throw new DamagedFile();
  }

  async bytes(name: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream(name)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** An entry by its exact name, else by its name in another case, as Office formats allow. */
  private find(name: string): Entry | undefined {
    const found = this.entries.get(name) ?? this.inLowerCase.get(name.toLowerCase());
    return found === undefined || isLink(found) ? undefined : found;
  }

  private count({ compressedSize }: Entry, added: number, size: number): void {
    const { inflatedBytes, ratio } = this.limits;
    this.inflated += added;
    if (this.inflated > inflatedBytes) throw new LimitExceeded('inflated bytes', inflatedBytes);
    if (size > RATIO_COUNTS_FROM && size > compressedSize * ratio)
      throw new LimitExceeded('inflated bytes for each of its own', ratio);
  }

  private async *inflate(entry: Entry): AsyncGenerator<Buffer> {
    try {
      yield* (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
    } catch {
      throw new DamagedFile();
    }
  }
}
