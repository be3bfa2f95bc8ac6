import type { ExtractedText } from '@acervo/analysis';
import type { ExtractionReport } from './report';

/** An acquired file; its name and its content decide which reader reads it. */
export interface AcquiredFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Read before all waiting files. */
  readonly urgent?: boolean;
}

/** Limits of a file. Exceeding one throws `LimitExceeded`; text is never cut silently. */
export interface ReadLimits {
  /** Bytes of the file itself. */
  readonly fileBytes: number;
  /** Total bytes of all entries of an archive, counted during inflation. */
  readonly inflatedBytes: number;
  /** Entries of one archive. */
  readonly entries: number;
  /** Inflated bytes for each byte of an archive entry; counted above the first megabyte. */
  readonly ratio: number;
  /** Nesting of containers, such as a mail in a mail or an archive in an archive, and of elements in a tree. */
  readonly depth: number;
  readonly elementDepth: number;
  /** UTF-16 code units of the resulting text. */
  readonly characters: number;
  readonly pages: number;
  /** Width times height of an image, known before it is decoded. */
  readonly pixels: number;
}

/** A file inside another one. It becomes a separate document with a link to its carrier. */
export interface Attachment {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Extraction {
  readonly document: ExtractedText;
  readonly attachments: readonly Attachment[];
  /** The parts of the file; absent for a format without parts. */
  readonly report?: ExtractionReport;
}

/** An image that only optical recognition can read: PNG, JPEG or TIFF. */
export interface PictureOfText {
  readonly bytes: Buffer;
  readonly kind: 'png' | 'jpeg' | 'tiff';
  /** Pixels an inch, where they are known. */
  readonly dotsPerInch: number | null;
}

/** Recognises text in a picture; null where no recogniser is installed. It runs outside the reading process. */
export abstract class Recogniser {
  /** @throws ExtractionRefusal when the picture cannot be recognised. */
  abstract recognise(picture: PictureOfText): Promise<string>;
}

export interface ReadContext {
  readonly limits: ReadLimits;
  readonly recogniser: Recogniser | null;
  /** Reads a file whose text is a part of the file around it; absent where no file is read inside another. */
  readonly readInner?: InnerReader;
}

/** Reads a file inside another one, one level deeper; null for a format that is read by pages. */
export type InnerReader = (file: AcquiredFile, context: ReadContext) => Promise<Extraction | null>;

/** Reads a family of formats in one step. Stateless; opens no file and no connection. */
export abstract class WholeReader {
  /** Name in configuration and documentation. */
  abstract readonly name: string;
  /** @throws ExtractionRefusal for a file without text. */
  abstract read(file: AcquiredFile, context: ReadContext): Promise<Extraction>;
}

/** The content of one page, as plain data: it is kept while later pages are read. */
export interface RawPage {
  readonly number: number;
  /** Lines in reading order. */
  readonly lines: readonly RawLine[];
  /** The page shows letters that its fonts do not name, and nothing recognised them. */
  readonly isUnreadable?: boolean;
  /** Entries of the table of contents of the file that lead to this page. */
  readonly bookmarks?: readonly Bookmark[];
}

/** An entry of the table of contents of a file. Level 1 is the highest. */
export interface Bookmark {
  readonly title: string;
  readonly level: number;
}

export interface RawLine {
  readonly text: string;
  /** Height of its letters in points; 0 if unknown. */
  readonly size: number;
  readonly bold: boolean;
  /** Place of its box on the page, from 0 (top, left) to 1. */
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** Whether a new paragraph begins with it. */
  readonly startsParagraph: boolean;
}

export type PagedFacts = Pick<ExtractedText, 'title' | 'author' | 'date' | 'language'>;

/** An open file that returns one page at a time, so that an interrupted reading resumes at its page. */
export interface PagedFile {
  readonly pageCount: number;
  readonly facts: PagedFacts;
  readonly attachments: readonly Attachment[];
  /** Its parts beside the pages, such as attachments, annotations and forms. */
  readonly parts?: ExtractionReport;
  /** Pages count from 1. */
  page(number: number): Promise<RawPage>;
  close(): void;
}

/** Reads a family of formats page by page. */
export abstract class PagedReader {
  abstract readonly name: string;
  abstract open(file: AcquiredFile, context: ReadContext): Promise<PagedFile>;
  /** One text of all pages, in order: pure. @throws NoTextFound */
  abstract assemble(pages: readonly RawPage[], facts: PagedFacts): ExtractedText;
}

export type Reader = WholeReader | PagedReader;
