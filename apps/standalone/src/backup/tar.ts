import { pipeline } from 'node:stream/promises';
import { extract, type Headers, pack, type Pack } from 'tar-stream';

/** A file or directory of an archive. */
export interface TarEntry {
  /** Relative, with slashes; that of a directory ends with one. */
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

const OWNER_ONLY = { file: 0o600, directory: 0o700 } as const;

/** The archive is cut, damaged, or none. */
export class TarDamaged extends Error {}

const headersOf = ({ name, bytes }: TarEntry): Headers => {
  const type = name.endsWith('/') ? 'directory' : 'file';
  return { name, type, size: bytes, mode: OWNER_ONLY[type], mtime: new Date(0) };
};

const add = async (archive: Pack, entry: TarEntry): Promise<void> => {
  const headers = headersOf(entry);
  if (headers.type === 'directory') return void archive.entry(headers);
  await pipeline(entry.content, archive.entry(headers));
};

/** The bytes of an archive. @throws where the content of an entry is not as long as it says */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  const archive = pack();
  const written = (async () => {
    for await (const entry of entries) await add(archive, entry);
    archive.finalize();
  })().catch((error: unknown) => void archive.destroy(error as Error));
  yield* archive as AsyncIterable<Buffer>;
  await written;
}

/**
 * The entries of an archive that `tarOf` made. Each content is read before the next entry is asked for.
 * @throws TarDamaged; the errors of the archive's own stream as they are
 */
export async function* entriesOf(archive: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = extract();
  const failures: unknown[] = [];
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* archive;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const fed = pipeline(watched, reader);
  fed.catch(() => undefined);
  try {
    for await (const entry of reader) {
      const { name, size = 0, type } = entry.header;
      const path = type === 'directory' && !name.endsWith('/') ? `${name}/` : name;
      yield { name: path, bytes: size, content: entry };
      entry.resume();
    }
    await fed;
  } catch (error) {
    throw failures[0] ?? new TarDamaged('The archive is damaged or cut.', { cause: error });
  }
}
