import { type Zippable, type ZipOptions, zipSync } from 'fflate';

/** Contents of the entries by their names. */
export type ZipEntries = Readonly<Record<string, string | Uint8Array>>;

const LOCAL = Buffer.from('PK\u0003\u0004', 'latin1');
const CENTRAL = Buffer.from('PK\u0001\u0002', 'latin1');
const LOCAL_FLAGS = 6;
const CENTRAL_FLAGS = 8;
const CENTRAL_OFFSET = 42;
const ENCRYPTED = 1;
const LINK_MODE = 0o120777;
const UNIX = 3;

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** A zip archive. */
export const zipFile = (entries: ZipEntries, options: ZipOptions = {}): Buffer => {
  const files: Zippable = {};
  for (const [name, content] of Object.entries(entries)) files[name] = [bytesOf(content), options];
  return Buffer.from(zipSync(files));
};

/** Where each occurrence of a mark begins. */
const places = (bytes: Buffer, mark: Buffer): number[] => {
  const found: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) found.push(at);
  return found;
};

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

/** The archive with every entry marked as encrypted. */
export const encryptedZip = (entries: ZipEntries): Buffer =>
  changed(zipFile(entries), (copy) => {
    for (const at of places(copy, LOCAL)) copy.writeUInt16LE(ENCRYPTED, at + LOCAL_FLAGS);
    for (const at of places(copy, CENTRAL)) copy.writeUInt16LE(ENCRYPTED, at + CENTRAL_FLAGS);
  });

/** The archive with all entries pointing at the bytes of the first one. */
export const overlappingZip = (entries: ZipEntries): Buffer =>
  changed(zipFile(entries), (copy) => {
    for (const at of places(copy, CENTRAL)) copy.writeUInt32LE(0, at + CENTRAL_OFFSET);
  });

/** The archive with one name in place of another of the same length, so that two entries have it. */
export const renamedZip = (entries: ZipEntries, name: string, by: string): Buffer =>
  changed(zipFile(entries), (copy) => {
    for (const at of places(copy, Buffer.from(name))) copy.write(by, at);
  });

/** An archive whose entries are symbolic links to what they contain. */
export const linkedZip = (entries: ZipEntries): Buffer =>
  zipFile(entries, { os: UNIX, attrs: (LINK_MODE << 16) >>> 0 });

/** An entry of zeros: about a thousand bytes come out of each one that goes in. */
export const zeros = (size: number): Uint8Array => new Uint8Array(size);
