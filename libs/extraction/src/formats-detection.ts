import { DamagedFile, NoTextFound, PasswordProtected, UnsupportedFile } from './errors';
import { type Format, formatByKind, formatByName, formatByReader, unreadKind, unsupportedReason } from './formats';
import { holdsLatePdf, kindOfContent, kindOfText, looksLikeText } from './formats-content';
import type { AcquiredFile } from './reader';

/** Containers of which the directory tells nothing: cut off or damaged, or really something else. */
const VAGUE: Readonly<Record<string, readonly string[]>> = {
  zip: ['docx', 'pptx', 'xlsx', 'opendocument', 'epub'],
  compound: ['msg'],
};

const isText = ({ kinds }: Format): boolean => kinds.length === 0;

/** The format of content that says what it is. */
const byKind = (kind: string, claimed: Format | undefined): Format => {
  const format = formatByKind(kind);
  if (format !== undefined) return format;
  if (kind === 'encrypted') throw new PasswordProtected();
  // Its reader says what is wrong with a container that is damaged.
  if (claimed !== undefined && VAGUE[kind]?.includes(claimed.reader) === true) return claimed;
  throw new UnsupportedFile(unreadKind(kind === 'compound' ? 'ole' : kind));
};

/** The format of content that says nothing: texts are what they are called. */
const byName = ({ name, bytes }: AcquiredFile, claimed: Format | undefined): Format => {
  if (claimed === undefined) throw new UnsupportedFile(unsupportedReason(name));
  if (isText(claimed)) return claimed;
  if (claimed.reader === 'pdf' && holdsLatePdf(bytes)) return claimed;
  // A page or a message that was saved under the name of something else.
  const format = looksLikeText(bytes) ? formatByReader(kindOfText(bytes)) : undefined;
  if (format === undefined && claimed.reader !== 'pdf') throw new DamagedFile();
  return format ?? claimed;
};

/**
 * The format of a file, by its content and its name together. Content that tells what it is decides, whatever the
 * name says; texts, which tell nothing, are what their names say.
 * @throws NoTextFound for an empty file, UnsupportedFile, PasswordProtected, DamagedFile
 */
export const detectFormat = async (file: AcquiredFile): Promise<Format> => {
  if (file.bytes.length === 0) throw new NoTextFound();
  const claimed = formatByName(file.name);
  const kind = await kindOfContent(file.bytes);
  return kind === undefined ? byName(file, claimed) : byKind(kind, claimed);
};
