import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, type ReadLimits, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { withoutControls } from '../text';
import { TextBuilder } from '../../text-builder';
import { Archive, assertZip, decoderFor } from '../archive';
import { readBook } from './epub-package';
import { Hypertext } from './hypertext';

const readChapter = async (archive: Archive, part: string, flow: FlowWriter, limits: ReadLimits): Promise<void> => {
  const page = new Hypertext(flow, limits);
  let decoder: ReturnType<typeof decoderFor> | undefined;
  for await (const chunk of archive.stream(part)) {
    decoder ??= decoderFor(chunk);
    page.write(withoutControls(decoder.decode(chunk, { stream: true })));
  }
  page.end();
  flow.end();
};

/**
 * Books (EPUB 2 and 3): their chapters in reading order as pages, under their headings or their titles in the table of
 * contents.
 */
export class EpubReader extends WholeReader {
  readonly name = 'epub';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    assertZip(bytes);
    const archive = await Archive.open(bytes, limits);
    const { chapters, missing, titles, facts } = await readBook(archive, limits);
    const builder = new TextBuilder(limits);
    const flow = new FlowWriter(builder);
    for (const [index, chapter] of chapters.entries()) {
      builder.startPage(index + 1);
      flow.expectHeading(titles.get(chapter) ?? null);
      await readChapter(archive, chapter, flow, limits);
    }
    const document = builder.build(facts);
    const tally = new PartTally();
    tally.count('CHAPTER', chapters.length + missing);
    tally.read('CHAPTER', document.pages.length);
    tally.leaveOut('CHAPTER', 'NO_TEXT', chapters.length - document.pages.length);
    tally.leaveOut('CHAPTER', 'DAMAGED', missing);
    return { document, attachments: [], report: tally.report() };
  }
}
