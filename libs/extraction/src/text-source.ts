import type { AcquiredFile, Extraction, RawPage } from './reader';

/** Pages of one file from an earlier reading, stored by the caller: an interrupted reading resumes after them. */
export interface SavedPages {
  /** In order from the first page, without a gap; empty if nothing was saved. */
  load(): Promise<readonly RawPage[]>;
  /** Receives all pages so far. The implementation may save them now, later or never. */
  save(pages: readonly RawPage[]): Promise<void>;
}

/** Saves nothing: the next reading begins at the first page. */
export const noSavedPages: SavedPages = { load: () => Promise.resolve([]), save: () => Promise.resolve() };

/** Extracts the text of files, in any place, without harm to the caller. */
export abstract class TextSource {
  /** Number of files that it reads concurrently. */
  abstract readonly atOnce: number;
  /** The reason for users why a file of this name is not read; null if it is. */
  abstract whyNot(name: string): string | null;
  /** Whether a small file of this name is read in some milliseconds: plain text, and in this machine. */
  abstract isQuick(name: string): boolean;
  /**
   * Everything besides the bytes that affects the result for a file of this name: reader, version, limits and aids. A
   * changed value means that the file should be read again.
   */
  abstract signature(name: string): string;
  /** @throws ExtractionRefusal, which a retry does not change; every other error may be temporary. */
  abstract extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction>;
  /** Aborts current readings: they fail without a refusal. */
  abstract close(): Promise<void>;
}
