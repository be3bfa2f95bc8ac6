import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Attachment, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import type { XmlElement } from '../archive';
import { readEmbedded } from './embedded-files';
import { OfficePackage } from './office-package';
import { reportOfSlides } from './office-report';
import { PptxLayout } from './pptx-layout';
import { PptxSlide } from './pptx-slide';
import { readShownParts } from './shown-parts';

/** Level of a slide's title among the headings. */
const TITLE_LEVEL = 1;

/** The slides in the order of the presentation; null for one that the file does not have. */
const slidesOf = async (office: OfficePackage, main: string): Promise<(string | null)[]> => {
  const relations = new Map((await office.relations(main)).map(({ id, part }) => [id, part]));
  const slides: (string | null)[] = [];
  const add = (element: XmlElement): void => {
    const part = relations.get(element.get('r:id') ?? '');
    slides.push(part !== undefined && office.has(part) ? part : null);
  };
  await office.walk(main, { opened: new Map([['p:sldId', add]]) });
  return slides;
};

/** Texts of the comments of a slide, in the form of either version of PowerPoint. */
const readComments = async (office: OfficePackage, part: string): Promise<string[]> => {
  const comments: string[] = [];
  let [comment, inText] = ['', false];
  const [open, close] = [(): void => void (comment = ''), (): void => void comments.push(comment.trim())];
  const [start, end] = [(): void => void (inText = true), (): void => void (inText = false)];
  const opened = new Map([
    ['p:cm', open],
    ['p188:txBody', open],
    ['p:text', start],
    ['a:t', start],
  ]);
  const closed = new Map([
    ['p:cm', close],
    ['p188:txBody', close],
    ['p:text', end],
    ['a:t', end],
    ['a:p', (): void => void (comment += '\n')],
  ]);
  const text = (piece: string): void => {
    if (inText) comment += piece;
  };
  await office.walk(part, { opened, closed, text });
  return comments;
};

/** Reads the slides of one presentation into its text. */
class SlidesReading {
  readonly attachments: Attachment[] = [];
  /** Embedded objects that are no documents. */
  others = 0;
  /** Running texts that stand in the text already. */
  private readonly ranText = new Set<string>();
  private readonly layouts = new Set<string>();

  constructor(
    private readonly office: OfficePackage,
    private readonly builder: TextBuilder,
  ) {}

  async slide(part: string): Promise<void> {
    const { office } = this;
    const relations = (await office.relations(part)).filter((relation) => office.has(relation.part));
    const partsOf = (wanted: string): string[] =>
      relations.filter(({ kind }) => kind === wanted).map((relation) => relation.part);
    const flow = new FlowWriter(this.builder);
    const slide = new PptxSlide(await readShownParts(office, relations));
    await office.walk(part, slide);
    slide.write(flow, TITLE_LEVEL);
    for (const comments of partsOf('comments'))
      for (const comment of await readComments(office, comments)) flow.paragraph(comment);
    for (const notes of partsOf('notesSlide')) await this.notes(notes, flow);
    flow.end();
    this.run(slide.runningTexts);
    for (const layout of partsOf('slideLayout')) await this.layout(layout);
    const { files, others } = await readEmbedded(office, relations);
    this.attachments.push(...files);
    this.others += others;
  }

  private async notes(part: string, flow: FlowWriter): Promise<void> {
    const notes = new PptxSlide();
    await this.office.walk(part, notes);
    notes.write(flow, TITLE_LEVEL);
  }

  /** What the layout or the master of slides shows by itself, such as the name of the organisation. */
  private async layout(part: string): Promise<void> {
    if (this.layouts.has(part)) return;
    this.layouts.add(part);
    const layout = new PptxLayout();
    await this.office.walk(part, layout);
    this.run(layout.texts);
    const relations = await this.office.relations(part);
    for (const master of relations.filter(({ kind }) => kind === 'slideMaster'))
      if (this.office.has(master.part)) await this.layout(master.part);
  }

  private run(texts: readonly string[]): void {
    for (const text of texts) {
      if (text === '' || this.ranText.has(text)) continue;
      this.ranText.add(text);
      this.builder.running(text);
    }
  }
}

/**
 * Presentations of PowerPoint (PPTX): each slide a page, its title a heading, comments and notes at its end. Footers and
 * the texts of layouts stand once, on the first slide that shows them.
 */
export class PptxReader extends WholeReader {
  readonly name = 'pptx';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const office = await OfficePackage.open(bytes, limits);
    const builder = new TextBuilder(limits);
    const reading = new SlidesReading(office, builder);
    const slides = await slidesOf(office, await office.mainPart());
    for (const [index, slide] of slides.entries()) {
      builder.startPage(index + 1);
      if (slide !== null) await reading.slide(slide);
    }
    const document = builder.build(await office.facts());
    const { attachments, others } = reading;
    const counts = { slides: slides.length, missing: slides.filter((slide) => slide === null).length };
    return { document, attachments, report: reportOfSlides(counts, document, { files: attachments, others }) };
  }
}
