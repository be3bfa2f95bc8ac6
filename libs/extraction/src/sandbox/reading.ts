import { FileTooLarge, LimitExceeded } from '../errors';
import { detectFormat } from '../formats-detection';
import { readInnerFile } from '../inner-file';
import { type AcquiredFile, PagedReader, type RawPage, type ReadContext, type Reader } from '../reader';
import { readerNamed } from '../readers';
import type { Report } from './protocol';

type Final = Extract<Report, { kind: 'extracted' | 'pages-read' }>;

/** The context of readers. It hides the recogniser while an unseen page is read. */
class PageContext implements ReadContext {
  current = 0;

  constructor(
    private readonly context: ReadContext,
    private readonly unseen: readonly number[],
  ) {}

  get limits(): ReadContext['limits'] {
    return this.context.limits;
  }

  get recogniser(): ReadContext['recogniser'] {
    return this.unseen.includes(this.current) ? null : this.context.recogniser;
  }
}

const readPages = async (
  reader: PagedReader,
  { file, from, page, opened, unseen = [] }: ReadingOrder,
  base: ReadContext,
): Promise<Final> => {
  const context = new PageContext(base, unseen);
  const open = await reader.open(file, context);
  try {
    if (open.pageCount > context.limits.pages) throw new LimitExceeded('pages', context.limits.pages);
    await opened?.();
    for (context.current = from; context.current <= open.pageCount; context.current += 1)
      await page(await open.page(context.current));
    const { facts, attachments, parts } = open;
    return { kind: 'pages-read', reader: reader.name, facts, attachments, ...(parts === undefined ? {} : { parts }) };
  } finally {
    open.close();
  }
};

export interface ReadingOrder {
  readonly file: AcquiredFile;
  /** First unread page, for a file that is read by pages. */
  readonly from: number;
  /** Pages without a search for pictures of text. */
  readonly unseen?: readonly number[];
  /** Called once, when a file that is read by pages is open. */
  opened?(): Promise<void>;
  /** Receives each page as soon as it is read. */
  page(page: RawPage): Promise<void>;
}

/** Reads a file in this process. Pages are passed on as they are read; their text is assembled afterwards. */
export const readFile = async (order: ReadingOrder, context: ReadContext): Promise<Final> => {
  const { file } = order;
  if (file.bytes.length > context.limits.fileBytes) throw new FileTooLarge(context.limits.fileBytes);
  const reader: Reader = await readerNamed((await detectFormat(file)).reader);
  if (reader instanceof PagedReader) return readPages(reader, order, context);
  const { limits, recogniser } = context;
  return { kind: 'extracted', extraction: await reader.read(file, { limits, recogniser, readInner: readInnerFile }) };
};
