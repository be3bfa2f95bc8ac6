import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import type { XmlElement } from '../archive';
import { OfficePackage, type Relation } from './office-package';
import { PptxSlide } from './pptx-slide';

/** Level of a slide's title among the headings. */
const TITLE_LEVEL = 1;

/** The slides in the order of the presentation. */
const slidesOf = async (office: OfficePackage, main: string): Promise<string[]> => {
  const relations = new Map((await office.relations(main)).map(({ id, part }) => [id, part]));
  const slides: string[] = [];
  const add = (element: XmlElement): void => {
    const part = relations.get(element.get('r:id') ?? '');
    if (part !== undefined && office.has(part)) slides.push(part);
  };
  await office.walk(main, { opened: new Map([['p:sldId', add]]) });
  return slides;
};

/** Related parts of a slide with text: diagrams and speaker notes. */
const companions = (relations: readonly Relation[]): Relation[] =>
  ['diagramData', 'notesSlide'].flatMap((wanted) => relations.filter(({ kind }) => kind === wanted));

/** Presentations of PowerPoint (PPTX): each slide a page, its title a heading, its notes at its end. */
export class PptxReader extends WholeReader {
  readonly name = 'pptx';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const office = await OfficePackage.open(bytes, limits);
    const builder = new TextBuilder(limits);
    let number = 0;
    for (const slide of await slidesOf(office, await office.mainPart())) {
      builder.startPage((number += 1));
      await this.readSlide(office, slide, builder);
    }
    return { document: builder.build(await office.facts()), attachments: [] };
  }

  private async readSlide(office: OfficePackage, part: string, builder: TextBuilder): Promise<void> {
    const flow = new FlowWriter(builder);
    const others = companions(await office.relations(part)).map((relation) => relation.part);
    for (const each of [part, ...others.filter((other) => office.has(other))]) {
      const slide = new PptxSlide();
      await office.walk(each, slide);
      slide.write(flow, TITLE_LEVEL);
    }
    flow.end();
  }
}
