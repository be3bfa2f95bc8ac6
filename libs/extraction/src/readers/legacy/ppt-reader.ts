import { DamagedFile } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { CompoundStreams } from '../archive';
import { reportOfSlides } from '../office';
import { PptFile, type ListedSlide } from './ppt-file';
import type { PptRecord } from './ppt-records';
import { commentsOf, runningTextsOf, type SlideText, textsOfSlide } from './ppt-texts';
import { SLIDE_ATOM } from './ppt-types';
import { factsOfSummary, SUMMARY } from './property-set';

const NOTES_AT = 16;
/** The mark that stands for a number or a date. */
const MARK = '*';

/** Writes the slides of one presentation. */
class SlidesReading {
  private readonly notes: ReadonlyMap<number, PptRecord>;
  private readonly ranText = new Set<string>();

  constructor(
    private readonly file: PptFile,
    private readonly builder: TextBuilder,
  ) {
    this.notes = file.notes;
  }

  slide({ record, outline }: ListedSlide): void {
    if (record === null) return;
    const { records } = this.file;
    const texts = textsOfSlide(records, record, outline).filter(({ text }) => text.trim() !== MARK);
    const title = texts.filter(({ isTitle }) => isTitle);
    if (title.length > 0) this.builder.heading(1, title.map(({ text }) => text).join(' '));
    this.write(texts.filter(({ isTitle }) => !isTitle));
    for (const comment of commentsOf(records, record)) this.builder.paragraph(comment);
    const notes = this.notes.get(this.notesOf(record));
    if (notes !== undefined) this.write(textsOfSlide(records, notes, []).filter(({ text }) => text.trim() !== MARK));
    for (const text of [...runningTextsOf(records, record), ...runningTextsOf(records, this.file.document)])
      this.run(text);
  }

  private write(texts: readonly SlideText[]): void {
    for (const paragraph of texts.flatMap(({ text }) => text.split('\n'))) this.builder.paragraph(paragraph);
  }

  private run(text: string): void {
    if (this.ranText.has(text)) return;
    this.ranText.add(text);
    this.builder.running(text);
  }

  private notesOf(slide: PptRecord): number {
    for (const { type, body } of this.file.records.inside(slide))
      if (type === SLIDE_ATOM && body.length >= NOTES_AT + 4) return body.readUInt32LE(NOTES_AT);
    return 0;
  }
}

/**
 * Presentations of PowerPoint 97 to 2003 (PPT): each slide a page, its title a heading, comments and notes at its end,
 * headers and footers once.
 */
export class PptReader extends WholeReader {
  readonly name = 'ppt';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const streams = new CompoundStreams(bytes);
    const stream = streams.get('PowerPoint Document');
    if (stream === undefined) throw new DamagedFile();
    const file = new PptFile(stream, streams.get('Current User'));
    const builder = new TextBuilder(limits);
    const reading = new SlidesReading(file, builder);
    file.slides.forEach((slide, index) => {
      builder.startPage(index + 1);
      reading.slide(slide);
    });
    const document = builder.build(factsOfSummary(streams.get(SUMMARY)));
    const counts = { slides: file.slides.length, missing: file.slides.filter(({ record }) => record === null).length };
    return Promise.resolve({ document, attachments: [], report: reportOfSlides(counts, document) });
  }
}
