import type { ReadLimits } from '../reader';

/** All limits of an extraction: of the file, and of its process. */
export interface ExtractionLimits extends ReadLimits {
  /** Number of concurrent reading processes. */
  readonly processes: number;
  /** Number of files after which a new process replaces the old one. */
  readonly filesPerProcess: number;
  /** Resident memory of a process, in bytes. */
  readonly memoryBytes: number;
  /** Wall time without progress, in milliseconds: for a whole file, or for each page of one that is read by pages. */
  readonly silenceMs: number;
  /** Wall time to read one file in all, in milliseconds; recognition does not count. */
  readonly fileMs: number;
  /** Wall time to recognise the text of one picture, in milliseconds. */
  readonly recognitionMs: number;
  /** Wall time to recognise the text of all pictures of one file, in milliseconds. */
  readonly recognitionsMs: number;
}

export const defaultLimits: ExtractionLimits = {
  fileBytes: 200_000_000,
  inflatedBytes: 1_000_000_000,
  entries: 20_000,
  ratio: 200,
  depth: 5,
  elementDepth: 500,
  characters: 20_000_000,
  pages: 20_000,
  pixels: 60_000_000,
  processes: 2,
  filesPerProcess: 200,
  memoryBytes: 512 * 1024 * 1024,
  silenceMs: 60_000,
  fileMs: 900_000,
  recognitionMs: 120_000,
  recognitionsMs: 7_200_000,
};

/** The limits that readers enforce themselves. */
export const readLimitsOf = (limits: ExtractionLimits): ReadLimits => {
  const { fileBytes, inflatedBytes, entries, ratio, depth, elementDepth, characters, pages, pixels } = limits;
  return { fileBytes, inflatedBytes, entries, ratio, depth, elementDepth, characters, pages, pixels };
};
