import { fileTypeFromBuffer } from 'file-type/node';
import { FileTooLarge, LimitExceeded, NoTextFound, UnsupportedFile } from '../errors';
import { type Format, formatOf, hasTextMark, unsupportedReason } from '../formats';
import { type AcquiredFile, PagedReader, type RawPage, type ReadContext, type Reader } from '../reader';
import { readerNamed } from '../readers';
import type { Report } from './protocol';

/** The kind of a file. @throws UnsupportedFile, NoTextFound for an empty file. */
export const detectFormat = async ({ name, bytes }: AcquiredFile): Promise<Format> => {
  if (bytes.length === 0) throw new NoTextFound();
  const found = hasTextMark(bytes) ? undefined : await fileTypeFromBuffer(bytes).catch(() => undefined);
  const format = formatOf(name, found?.ext);
  if (format === undefined) throw new UnsupportedFile(unsupportedReason(name));
  return format;
};

type Final = Extract<Report, { kind: 'extracted' | 'pages-read' }>;

const readPages = async (
  reader: PagedReader,
  { file, from, page }: ReadingOrder,
  context: ReadContext,
): Promise<Final> => {
  const opened = await reader.open(file, context);
  try {
    if (opened.pageCount > context.limits.pages) throw new LimitExceeded('pages', context.limits.pages);
    for (let number = from; number <= opened.pageCount; number += 1) await page(await opened.page(number));
    return { kind: 'pages-read', reader: reader.name, facts: opened.facts, attachments: opened.attachments };
  } finally {
    opened.close();
  }
};

export interface ReadingOrder {
  readonly file: AcquiredFile;
  /** First page that is still to be read, where a file is read by pages. */
  readonly from: number;
  /** Takes each page as soon as it is read. */
  page(page: RawPage): Promise<void>;
}

/** Reads a file here and now. Pages are handed out as they come; their text is put together afterwards. */
export const readFile = async (order: ReadingOrder, context: ReadContext): Promise<Final> => {
  const { file } = order;
  if (file.bytes.length > context.limits.fileBytes) throw new FileTooLarge(context.limits.fileBytes);
  const reader: Reader = await readerNamed((await detectFormat(file)).reader);
  if (reader instanceof PagedReader) return readPages(reader, order, context);
  return { kind: 'extracted', extraction: await reader.read(file, context) };
};
