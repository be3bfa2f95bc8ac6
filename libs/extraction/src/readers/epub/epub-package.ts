import { DamagedFile, PasswordProtected } from '../../errors';
import type { PagedFacts, ReadLimits } from '../../reader';
import { dateOf, factOf } from '../../text-builder';
import { type Archive, type Namespaces, readTexts, resolvePart, walkXml, type XmlElement } from '../archive';
import { readContents } from './epub-contents';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const CONTENTS = 'application/x-dtbncx+xml';
const CHAPTERS = ['application/xhtml+xml', 'text/html', 'application/x-dtbook+xml', 'text/x-oeb1-document'];

const namespaces: Namespaces = new Map([
  ['urn:oasis:names:tc:opendocument:xmlns:container', 'ocf'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
]);

export interface Book {
  /** Entries of the chapters, in reading order. */
  readonly chapters: readonly string[];
  /** Entries that the spine names and the book does not have, or not as pages. */
  readonly missing: number;
  /** Titles of whole chapters in the table of contents, by their entries. */
  readonly titles: ReadonlyMap<string, string>;
  readonly facts: PagedFacts;
}

const attributeOf = async (
  archive: Archive,
  part: string,
  [name, attribute]: readonly [string, string],
  limits: ReadLimits,
): Promise<string[]> => {
  const values: string[] = [];
  const add = (element: XmlElement): void => {
    const value = element.get(attribute);
    if (value !== undefined) values.push(value);
  };
  await walkXml(archive.stream(part), { namespaces, opened: new Map([[name, add]]) }, limits);
  return values;
};

/** Names are URLs: a space is `%20`, and `#` precedes a position inside the part. */
const partOf = (packagePart: string, href: string): string => {
  const [path = ''] = href.split('#', 1);
  try {
    return resolvePart(packagePart, decodeURIComponent(path));
  } catch {
    return resolvePart(packagePart, path);
  }
};

interface Spine {
  readonly chapters: readonly string[];
  readonly missing: number;
  /** Entry of the table of contents. */
  readonly contents: string | undefined;
}

const readSpine = async (archive: Archive, part: string, limits: ReadLimits): Promise<Spine> => {
  const items = new Map<string, string>();
  const spine: string[] = [];
  let contents: string | undefined;
  const addItem = (element: XmlElement): void => {
    const [id, href, kind = ''] = [element.get('id'), element.get('href'), element.get('media-type')];
    if (id === undefined || href === undefined) return;
    const isContents = element.get('properties')?.split(' ').includes('nav') === true;
    if (isContents || (kind === CONTENTS && contents === undefined)) contents = partOf(part, href);
    if (CHAPTERS.includes(kind)) items.set(id, partOf(part, href));
  };
  const opened = new Map<string, (element: XmlElement) => void>([
    ['opf:item', addItem],
    ['opf:itemref', (element) => spine.push(element.get('idref') ?? '')],
  ]);
  await walkXml(archive.stream(part), { namespaces, opened }, limits);
  // A chapter that the spine names twice is read once.
  const listed = [...new Set(spine)].map((id) => items.get(id) ?? '');
  const chapters = [...new Set(listed.filter((chapter) => archive.has(chapter)))];
  return { chapters, missing: listed.filter((chapter) => !archive.has(chapter)).length, contents };
};

/** A link into a chapter labels that position, not the chapter. */
const readTitles = async (archive: Archive, contents: string | undefined): Promise<Map<string, string>> => {
  const titles = new Map<string, string>();
  if (contents === undefined || !archive.has(contents)) return titles;
  for (const [target, title] of await readContents(archive, contents)) {
    const chapter = partOf(contents, target);
    if (!target.includes('#') && !titles.has(chapter)) titles.set(chapter, title);
  }
  return titles;
};

/** Obfuscated fonts are fine; an encrypted chapter requires a licence. */
const assertReadable = async (archive: Archive, chapters: readonly string[], limits: ReadLimits): Promise<void> => {
  if (!archive.has(ENCRYPTION)) return;
  const encrypted = await attributeOf(archive, ENCRYPTION, ['enc:CipherReference', 'URI'], limits);
  const parts = new Set(encrypted.map((uri) => partOf('', uri)));
  if (chapters.some((chapter) => parts.has(chapter))) throw new PasswordProtected();
};

/**
 * Metadata and chapter order of a book.
 * @throws DamagedFile, PasswordProtected
 */
export const readBook = async (archive: Archive, limits: ReadLimits): Promise<Book> => {
  const [part] = await attributeOf(archive, CONTAINER, ['ocf:rootfile', 'full-path'], limits);
  if (part === undefined) throw new DamagedFile();
  const { chapters, missing, contents } = await readSpine(archive, part, limits);
  await assertReadable(archive, chapters, limits);
  const wanted = ['dc:title', 'dc:creator', 'dc:date', 'dc:language'];
  const values = await readTexts(archive.stream(part), wanted, namespaces, limits);
  return {
    chapters,
    missing,
    titles: await readTitles(archive, contents),
    facts: {
      title: factOf(values.get('dc:title')),
      author: factOf(values.get('dc:creator')),
      date: dateOf(values.get('dc:date')),
      language: factOf(values.get('dc:language')),
    },
  };
};
