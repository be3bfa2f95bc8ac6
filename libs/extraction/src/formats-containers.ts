/** Central directory of a zip archive: its position, and the layout of its entries. */
const END_OF_DIRECTORY = Buffer.from('PK\u0005\u0006', 'latin1');
const LONGEST_END = 65_557;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
/** Every program writes the entries that identify a format among its first ones. */
const MOST_ENTRIES = 5_000;
const MOST_PARTS = 20_000;

/**
 * Names in the directory of a zip archive, which its readers use. Bytes before it and unlisted entries are ignored.
 * Empty without a directory.
 */
export const zipNames = (bytes: Buffer): string[] => {
  const end = bytes.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0 || end < bytes.length - LONGEST_END || end + 20 > bytes.length) return [];
  const names: string[] = [];
  let at = end - bytes.readUInt32LE(end + 12);
  while (at >= 0 && at + ENTRY_LENGTH <= end && bytes.readUInt32LE(at) === ENTRY && names.length < MOST_ENTRIES) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    names.push(bytes.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + (name ?? 0)));
    at += ENTRY_LENGTH + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return names;
};

const OPEN_DOCUMENT =
  /^application\/vnd\.(?:oasis\.opendocument\.(?:text|spreadsheet|presentation|graphics)|sun\.xml\.(?:writer|calc|impress|draw))/;

/** The content of the first entry of an OpenDocument file or a book, which is stored uncompressed. */
const mimetypeOf = (bytes: Buffer): string => {
  if (bytes.length < 38 || bytes.toString('latin1', 30, 38) !== 'mimetype') return '';
  const start = 38 + bytes.readUInt16LE(28);
  return bytes.toString('latin1', start, start + 80);
};

/** Parts that only Office files of a kind have. */
const officeParts: readonly (readonly [part: string, kind: string])[] = [
  ['word/document.xml', 'docx'],
  ['word/document2.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['xl/workbook.bin', 'xlsb'],
];

/** Signatures of a container of signed files. */
const SIGNATURES = /^meta-inf\/[^/]{0,100}(?:signature|timestamp)[^/]{0,100}\.(?:xml|p7s|tst)$/;

/** The kind of a zip archive: of an Office file, a book, or an unknown one. */
export const kindOfZip = (bytes: Buffer): string => {
  const mimetype = mimetypeOf(bytes);
  if (mimetype.startsWith('application/epub+zip')) return 'epub';
  if (mimetype.startsWith('application/vnd.etsi.asic-')) return 'asic';
  if (OPEN_DOCUMENT.test(mimetype)) return 'opendocument';
  const names = new Set(zipNames(bytes).map((name) => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()));
  if (names.has('meta-inf/container.xml')) return 'epub';
  if (names.has('content.xml') && names.has('meta-inf/manifest.xml')) return 'opendocument';
  const office = officeParts.find(([part]) => names.has(part))?.[1];
  return office ?? ([...names].some((name) => SIGNATURES.test(name)) ? 'asic' : 'zip');
};

const SECTOR_SHIFT_AT = 30;
const FIRST_DIRECTORY_AT = 48;
const DIRECTORY_ENTRY = 128;

/** Kinds of compound files, each by a stream that only it has; the first match wins. */
const streams: readonly (readonly [stream: string, kind: string])[] = [
  ['EncryptedPackage', 'encrypted'],
  ['__properties_version1.0', 'msg'],
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
];

/**
 * Names of streams and storages at the place where the directory of a compound file begins, as far as it is contiguous.
 */
const streamNames = (bytes: Buffer): Set<string> => {
  const names = new Set<string>();
  if (bytes.length < 512) return names;
  const sector = 2 ** Math.min(16, bytes.readUInt16LE(SECTOR_SHIFT_AT));
  let at = (bytes.readUInt32LE(FIRST_DIRECTORY_AT) + 1) * sector;
  for (let count = 0; count < MOST_PARTS && at + DIRECTORY_ENTRY <= bytes.length; count += 1, at += DIRECTORY_ENTRY) {
    const length = bytes.readUInt16LE(at + 64);
    if (length > 64 || (bytes[at + 66] ?? 0) > 5) break;
    names.add(bytes.toString('utf16le', at, at + Math.max(0, length - 2)));
  }
  return names;
};

/** The kind of an OLE compound file: of an Office before 2007, of an encrypted file after it, or of a mail. */
export const kindOfCompound = (bytes: Buffer): string => {
  const names = streamNames(bytes);
  return streams.find(([stream]) => names.has(stream))?.[1] ?? 'compound';
};
