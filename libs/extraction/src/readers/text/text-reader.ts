import { plainText } from '@acervo/analysis';
import { NoTextFound } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { limited } from './limited';
import { decodeText } from './text-encoding';

const LONGEST_TITLE = 200;

/** The first nonblank line, if it is short enough for a title. */
export const firstLine = (text: string): string | null => {
  const line = /\S.*/.exec(text)?.[0].trim() ?? '';
  return line !== '' && line.length <= LONGEST_TITLE ? line : null;
};

/** Plain text in any of the usual encodings, unchanged. */
export class TextReader extends WholeReader {
  readonly name = 'text';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const text = limited(decodeText(bytes), limits);
    if (text.trim() === '') throw new NoTextFound();
    return { document: plainText(text, { title: firstLine(text) }), attachments: [] };
  }
}
