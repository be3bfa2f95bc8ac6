import type { ExtractedText } from '@acervo/analysis';

/** A file as it was acquired: its name decides, together with its content, who reads it. */
export interface AcquiredFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Reads one family of formats. Pure in its input, so that it can run in a process of its own. */
export abstract class Extractor {
  /** Endings of file names, lower case, without the dot. */
  abstract readonly endings: readonly string[];
  /** @throws ExtractionRefusal for a file that gives no text. */
  abstract extract(file: AcquiredFile): Promise<ExtractedText>;
}
