import { DamagedFile, PasswordProtected } from '../../errors';
import type { AcquiredFile, ReadLimits } from '../../reader';
import { Archive } from '../archive';

const MANIFEST = 'META-INF/manifest.xml';
const CONTENT = 'content.xml';
const CHUNK = 65_536;
/** The first element of a flat file names its kind behind its namespaces. */
const FLAT_HEAD = 16_384;
const FLAT_KIND = /office:mimetype\s*=\s*["'][^"']*\.spreadsheet/;
const SPREADSHEETS = ['application/vnd.oasis.opendocument.spreadsheet', 'application/vnd.sun.xml.calc'];
const SPREADSHEET_NAME = /\.(?:o[dt]s|s[tx]c|fods)$/i;

/** The parts of a file: entries of an archive, or all of them in one flat file. */
export interface OpenedPackage {
  readonly isSpreadsheet: boolean;
  /** Null for a flat file. */
  readonly archive: Archive | null;
  /** The bytes of a part; nothing for one that does not exist. */
  stream(part: 'content.xml' | 'styles.xml' | 'meta.xml'): AsyncIterable<Buffer>;
}

const isZip = (bytes: Buffer): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield await Promise.resolve(bytes.subarray(at, at + CHUNK));
}

/** A part that the file does not have. */
async function* nothing(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('<none/>'));
}

/** The manifest of an encrypted file is readable and lists the encryption of each part. */
const assertReadable = async (archive: Archive): Promise<void> => {
  if (archive.has(MANIFEST) && (await archive.bytes(MANIFEST)).includes('encryption-data'))
    throw new PasswordProtected();
  if (!archive.has(CONTENT)) throw new DamagedFile();
};

const isSpreadsheet = async (archive: Archive, name: string): Promise<boolean> => {
  if (!archive.has('mimetype')) return SPREADSHEET_NAME.test(name);
  const kind = (await archive.bytes('mimetype')).toString('latin1');
  return SPREADSHEETS.some((spreadsheet) => kind.startsWith(spreadsheet));
};

/** Opens a file of OpenDocument or OpenOffice 1. @throws DamagedFile, PasswordProtected, LimitExceeded */
export const openParts = async ({ name, bytes }: AcquiredFile, limits: ReadLimits): Promise<OpenedPackage> => {
  if (!isZip(bytes)) {
    const head = bytes.toString('latin1', 0, FLAT_HEAD);
    return { isSpreadsheet: FLAT_KIND.test(head), archive: null, stream: () => inChunks(bytes) };
  }
  const archive = await Archive.open(bytes, limits);
  await assertReadable(archive);
  return {
    isSpreadsheet: await isSpreadsheet(archive, name),
    archive,
    stream: (part) => (archive.has(part) ? archive.stream(part) : nothing()),
  };
};
