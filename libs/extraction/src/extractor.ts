import type { ExtractedText } from '@acervo/analysis';
import type { AcquiredFile } from './reader';

/** Reads one family of formats. Pure in its input, so that it can run in a process of its own. */
export abstract class Extractor {
  /** Endings of file names, lower case, without the dot. */
  abstract readonly endings: readonly string[];
  /** @throws ExtractionRefusal for a file that gives no text. */
  abstract extract(file: AcquiredFile): Promise<ExtractedText>;
}
