import type { AcquiredFile, Extraction, RawPage } from './reader';

/** Pages of one file that were read before, kept outside of who reads: a reading that was ended goes on after them. */
export interface SavedPages {
  /** In order from the first page, without a gap; none where nothing was kept. */
  load(): Promise<readonly RawPage[]>;
  /** Takes note of everything that is read so far. It may keep it now, later, or not at all. */
  save(pages: readonly RawPage[]): Promise<void>;
}

/** Keeps nothing: the next reading begins at the first page. */
export const noSavedPages: SavedPages = { load: () => Promise.resolve([]), save: () => Promise.resolve() };

/** Gives the text of files, wherever they are read, without harm to who asks. */
export abstract class TextSource {
  /** Files that it reads at the same time. */
  abstract readonly atOnce: number;
  /** Why a file of this name is not read, for people; null where it is. */
  abstract whyNot(name: string): string | null;
  /**
   * Everything beside the bytes that decides what comes out for a file of this name: who reads it, in which version,
   * with which limits and aids. Another value means that it is worth reading again.
   */
  abstract signature(name: string): string;
  /** @throws ExtractionRefusal, which no second try changes; every other error may pass by itself. */
  abstract extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction>;
  /** Ends what is being read: it fails, and is not refused. */
  abstract close(): Promise<void>;
}
