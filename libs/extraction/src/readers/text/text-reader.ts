import { plainText } from '@acervo/analysis';
import { NoTextFound } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { cardText, isCard } from './cards';
import { beginningAndEnd } from './long-text';

const LONGEST_TITLE = 200;

/** The first nonblank line, if it is short enough for a title. */
export const firstLine = (text: string): string | null => {
  const line = /\S.*/.exec(text)?.[0].trim() ?? '';
  return line !== '' && line.length <= LONGEST_TITLE ? line : null;
};

/** Plain text in any of the usual encodings, unchanged; the lines of calendars and cards are joined. */
export class TextReader extends WholeReader {
  readonly name = 'text';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const { text: written, report } = beginningAndEnd(bytes, limits);
    const text = isCard(written) ? cardText(written) : written;
    if (text.trim() === '') throw new NoTextFound();
    const document = plainText(text, { title: firstLine(text) });
    return { document, attachments: [], ...(report === undefined ? {} : { report }) };
  }
}
