import type { ExtractedText, Range } from '@acervo/analysis';
import { readInnerFile } from '../../src/inner-file';
import type { Extraction, ReadLimits, WholeReader } from '../../src/reader';

/** Limits that ordinary files do not reach. */
export const ROOMY: ReadLimits = {
  fileBytes: 50_000_000,
  inflatedBytes: 50_000_000,
  entries: 1_000,
  ratio: 200,
  depth: 5,
  elementDepth: 200,
  characters: 5_000_000,
  pages: 1_000,
  pixels: 50_000_000,
};

/** What a reader makes of bytes. */
export const readWith = (
  reader: WholeReader,
  bytes: Buffer | string,
  limits: Partial<ReadLimits> = {},
  name = 'file',
): Promise<Extraction> =>
  reader.read(
    { name, bytes: Buffer.from(bytes as string) },
    { limits: { ...ROOMY, ...limits }, recogniser: null, readInner: readInnerFile },
  );

const cut = (text: string, { start, end }: Range): string => text.slice(start, end);

/** The headings of a text as `level title`. */
export const headingsOf = ({ text, headings }: ExtractedText): string[] =>
  headings.map((heading) => `${heading.level} ${cut(text, heading)}`);

/** The tables of a text: title, header and rows. */
export const tablesOf = ({
  text,
  tables,
}: ExtractedText): { title: string | null; header: string | null; rows: string[] }[] =>
  tables.map(({ title, header, rows }) => ({
    title,
    header: header === null ? null : cut(text, header),
    rows: rows.map((row) => cut(text, row)),
  }));

/** The text of each page. */
export const pagesOf = ({ text, pages }: ExtractedText): string[] =>
  pages.map((page) => `${page.number}: ${cut(text, page)}`);
