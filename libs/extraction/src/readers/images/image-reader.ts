import { LimitExceeded, NoTextFound } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { joinLines } from '../text/line-joining';
import { imageHeaderOf } from './image-header';

/** PNG, JPEG and TIFF, by recognition; without a recogniser they have no text. */
export class ImageReader extends WholeReader {
  readonly name = 'image';

  /** @throws UnsupportedFile, DamagedFile, LimitExceeded, NoTextFound */
  async read({ bytes }: AcquiredFile, { limits, recogniser }: ReadContext): Promise<Extraction> {
    const { kind, width, height, dotsPerInch } = imageHeaderOf(bytes);
    if (width * height > limits.pixels) throw new LimitExceeded('pixels', limits.pixels);
    if (recogniser === null) throw new NoTextFound();
    const text = await recogniser.recognise({ bytes, kind, dotsPerInch });
    const builder = new TextBuilder(limits);
    for (const paragraph of text
      .replace(/\r\n?/g, '\n')
      .replaceAll('\f', '\n\n')
      .split(/\n[ \t]*\n/))
      builder.paragraph(joinLines(paragraph.split('\n')));
    return { document: builder.build(), attachments: [] };
  }
}
