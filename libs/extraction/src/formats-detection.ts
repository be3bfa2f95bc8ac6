import { DamagedFile, NoTextFound, PasswordProtected, UnsupportedFile } from './errors';
import {
  type Format,
  formatByKind,
  formatByName,
  formatByReader,
  type ReaderName,
  unreadKind,
  unsupportedReason,
} from './formats';
import { holdsLatePdf, kindOfContent, kindOfText, looksLikeText, startsLikeHtml } from './formats-content';
import type { AcquiredFile } from './reader';

/** Containers with an uninformative directory: truncated, damaged or of another format. */
const VAGUE: Readonly<Record<string, readonly string[]>> = {
  zip: ['docx', 'pptx', 'xlsx', 'opendocument', 'epub', 'asic'],
  compound: ['msg', 'doc', 'xls', 'ppt'],
};

const isText = ({ kinds }: Format): boolean => kinds.length === 0;

/** The format of content with a recognised kind. */
const byKind = (kind: string, claimed: Format | undefined): Format => {
  const format = formatByKind(kind);
  if (format !== undefined) return format;
  if (kind === 'encrypted') throw new PasswordProtected();
  // The reader of a damaged container reports the damage.
  if (claimed !== undefined && VAGUE[kind]?.includes(claimed.reader) === true) return claimed;
  throw new UnsupportedFile(unreadKind(kind === 'compound' ? 'ole' : kind));
};

/** Formats of text that their beginning identifies where the name does not. */
const EVIDENT: ReadonlySet<string> = new Set(['html', 'xml', 'opendocument', 'eml', 'mbox', 'mhtml']);

/** Plain text under a name of no format. @throws UnsupportedFile for content that is not text */
const unnamedText = (name: string, bytes: Buffer): Format => {
  const kind = looksLikeText(bytes) ? kindOfText(bytes) : undefined;
  const format = kind === undefined ? undefined : formatByReader(EVIDENT.has(kind) ? kind : 'text');
  if (format === undefined) throw new UnsupportedFile(unsupportedReason(name));
  return format;
};

/** Readers of workbooks: a text under such a name is a table. */
const WORKBOOKS = ['xls', 'xlsx'];
const OPEN_SPREADSHEET = /\.(?:f?ods|ots|sxc|stc)$/i;

/** The format of a text under a name of another format: a page, a message or a table that a program saved so. */
const misnamed = ({ name, bytes }: AcquiredFile, { reader }: Format): Format | undefined => {
  const kind = kindOfText(bytes);
  const isTable = WORKBOOKS.includes(reader) || OPEN_SPREADSHEET.test(name);
  if (kind === 'text' && startsLikeHtml(bytes)) return formatByReader('html');
  return formatByReader(kind === 'text' && isTable ? 'csv' : kind);
};

const kindInXml = (bytes: Buffer): ReaderName => {
  const kind = kindOfText(bytes);
  return kind === 'html' || kind === 'opendocument' ? kind : 'xml';
};

/** The format of content without a recognised kind: texts have the format of their name. */
const byName = (file: AcquiredFile, claimed: Format | undefined): Format => {
  const { name, bytes } = file;
  if (claimed === undefined) return unnamedText(name, bytes);
  // A page in XML is a page, and a flat document is one.
  if (claimed.reader === 'xml') return formatByReader(kindInXml(bytes)) ?? claimed;
  if (isText(claimed)) return claimed;
  if (claimed.reader === 'pdf' && holdsLatePdf(bytes)) return claimed;
  // Signed content may be written in base64.
  if (claimed.reader === 'signed' && looksLikeText(bytes)) return claimed;
  const format = looksLikeText(bytes) ? misnamed(file, claimed) : undefined;
  if (format === undefined && claimed.reader !== 'pdf') throw new DamagedFile();
  return format ?? claimed;
};

/**
 * The format of a file, by its content and its name together. Recognised content decides, regardless of the name; texts
 * have the format of their name.
 * @throws NoTextFound for an empty file, UnsupportedFile, PasswordProtected, DamagedFile
 */
export const detectFormat = async (file: AcquiredFile): Promise<Format> => {
  if (file.bytes.length === 0) throw new NoTextFound();
  const claimed = formatByName(file.name);
  const kind = await kindOfContent(file.bytes);
  return kind === undefined ? byName(file, claimed) : byKind(kind, claimed);
};
