import { type ExtractedText, plainText } from '@acervo/analysis';
import { NoTextFound } from './errors';
import { Extractor } from './extractor';
import type { AcquiredFile } from './reader';
import { decodeText } from './text-encoding';

const LONGEST_TITLE = 200;

/** The first line that says something, when it is short enough to be a title. */
export const firstLine = (text: string): string | null => {
  const line = /\S.*/.exec(text)?.[0].trim() ?? '';
  return line !== '' && line.length <= LONGEST_TITLE ? line : null;
};

/** Plain text in any of the usual encodings. */
export class TextExtractor extends Extractor {
  readonly endings = ['txt', 'text', 'log'];

  extract({ bytes }: AcquiredFile): Promise<ExtractedText> {
    const text = decodeText(bytes);
    if (text.trim() === '') return Promise.reject(new NoTextFound());
    return Promise.resolve(plainText(text, { title: firstLine(text) }));
  }
}
