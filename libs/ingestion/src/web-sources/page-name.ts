import { createHash } from 'node:crypto';
import { formats, type ReaderName } from '@acervo/extraction';

/** Readers of what sites serve as documents. Archives, mailboxes and images are left out. */
const READERS: ReadonlySet<ReaderName> = new Set([
  ...(['html', 'pdf', 'docx', 'pptx', 'xlsx', 'doc', 'xls', 'ppt', 'opendocument', 'rtf', 'epub'] as const),
  ...(['markdown', 'text', 'csv', 'json', 'xml'] as const),
]);
const documentFormats = formats.filter(({ reader }) => READERS.has(reader));
const LONGEST_STEM = 80;

/** Media types of pages that become documents. */
export const documentTypes: readonly string[] = documentFormats.flatMap(({ mediaTypes }) => mediaTypes);

const lastStep = (url: string): string => {
  const { hostname, pathname } = new URL(url);
  const step = pathname.split('/').findLast((each) => each !== '') ?? hostname;
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
};

/**
 * The name of the document of a page: the last step of its address, digits that differ between pages of the same name,
 * and the ending by which its reader is chosen.
 */
export const pageName = (url: string, mediaType: string): string => {
  const endings = documentFormats.find(({ mediaTypes }) => mediaTypes.includes(mediaType))?.endings ?? ['txt'];
  const step = lastStep(url).replace(/[\p{C}\p{Z}/\\]+/gu, '-');
  const [, stem = step, ending = ''] = /^(.+)\.([^.]{1,16})$/.exec(step) ?? [];
  const isFormatEnding = endings.includes(ending.toLowerCase());
  const digits = createHash('sha256').update(url).digest('hex').slice(0, 8);
  return `${(isFormatEnding ? stem : step).slice(0, LONGEST_STEM).toWellFormed()}-${digits}.${isFormatEnding ? ending.toLowerCase() : endings[0]}`;
};

/** The path of a page within its root: its address without scheme. */
export const pagePath = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
