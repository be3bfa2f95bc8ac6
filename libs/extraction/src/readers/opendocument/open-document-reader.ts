import { DamagedFile } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import {
  type AcquiredFile,
  type Extraction,
  type PagedFacts,
  type ReadContext,
  type ReadLimits,
  WholeReader,
} from '../../reader';
import { dateOf, factOf, TextBuilder } from '../../text-builder';
import { readTexts, walkXml } from '../archive';
import { readInnerObjects } from './inner-objects';
import { ListLabels } from './list-labels';
import { openDocumentNamespaces } from './namespaces';
import { openParts, type OpenedPackage } from './package-parts';
import { PartCounting } from './part-report';
import { RunningLines } from './running-lines';
import { SheetsBody } from './sheets-body';
import { ShownParts } from './shown-parts';
import { TextBody } from './text-body';

const PROPERTIES = ['dc:title', 'dc:creator', 'meta:initial-creator', 'dc:date', 'meta:creation-date', 'dc:language'];
const isPicture = (name: string): boolean => /^(?:[^/]+\/)?Pictures\/[^/]+$/.test(name);

const readFacts = async (parts: OpenedPackage, limits: ReadLimits): Promise<Partial<PagedFacts>> => {
  const values = await readTexts(parts.stream('meta.xml'), PROPERTIES, openDocumentNamespaces, limits);
  return {
    title: factOf(values.get('dc:title')),
    author: factOf(values.get('meta:initial-creator')) ?? factOf(values.get('dc:creator')),
    date: dateOf(values.get('dc:date')) ?? dateOf(values.get('meta:creation-date')),
    language: factOf(values.get('dc:language')),
  };
};

/** Writes the body of a file between its headers and its footers. */
class DocumentReading {
  readonly builder: TextBuilder;
  private readonly flow: FlowWriter;
  private readonly labels = new ListLabels();
  private readonly running: RunningLines;

  constructor(
    private readonly parts: OpenedPackage,
    private readonly shown: ShownParts,
    private readonly limits: ReadLimits,
  ) {
    this.builder = new TextBuilder(limits);
    this.flow = new FlowWriter(this.builder);
    this.running = new RunningLines(limits, this.labels);
  }

  async read(counting: PartCounting): Promise<void> {
    await this.readStyles();
    for (const line of this.running.of('header')) this.builder.running(line);
    const text = new TextBody(this.builder, this.flow, this.shown, this.labels);
    const body = this.parts.isSpreadsheet ? new SheetsBody(this.builder, this.limits, this.shown) : text;
    await walkXml(this.parts.stream('content.xml'), counting.around(body), this.limits);
    this.flow.end();
    this.builder.endPage();
    for (const line of new Set([...text.running, ...this.running.of('footer')])) this.builder.running(line);
  }

  /** Damaged styles never cost a document its text. */
  private async readStyles(): Promise<void> {
    try {
      await walkXml(this.parts.stream('styles.xml'), this.running, this.limits);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
    }
  }
}

/**
 * OpenDocument and OpenOffice 1, packed or flat: texts, spreadsheets and presentations with their comments, charts and
 * running headers. Deleted text is left out.
 */
export class OpenDocumentReader extends WholeReader {
  readonly name = 'opendocument';

  async read(file: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const parts = await openParts(file, limits);
    const objects = await readInnerObjects(parts.archive, limits);
    const shown = new ShownParts(objects.objects);
    const reading = new DocumentReading(parts, shown, limits);
    const counting = new PartCounting();
    await reading.read(counting);
    const document = reading.builder.build(await readFacts(parts, limits));
    const pictures = (parts.archive?.names ?? []).filter(isPicture).length;
    const report = counting.report(parts.isSpreadsheet, document, { objects, shown, pictures });
    return { document, attachments: objects.files, ...(report === undefined ? {} : { report }) };
  }
}
