import type { ExtractedText } from '@acervo/analysis';
import { type ExtractionReport, PartTally } from '../../report';
import type { XmlElement, XmlHandler } from '../archive';
import type { InnerObjects } from './inner-objects';
import type { ShownParts } from './shown-parts';

/** Counts the sheets of a spreadsheet and the slides of a presentation while another handler reads them. */
export class PartCounting {
  private sheets = 0;
  private slides = 0;
  private tables = 0;
  private comments = 0;
  private charts = 0;

  /** The same handler, whose tables and pages are counted. */
  around(handler: XmlHandler): XmlHandler {
    const also = (name: string, count: () => void): [string, (element: XmlElement) => void] => [
      name,
      (element) => {
        count();
        handler.opened?.get(name)?.(element);
      },
    ];
    const opened = new Map([
      ...(handler.opened ?? []),
      also('table:table', () => (this.sheets += (this.tables += 1) === 1 ? 1 : 0)),
      also('draw:page', () => (this.slides += 1)),
      also('office:annotation', () => (this.comments += 1)),
      also('chart:chart', () => (this.charts += 1)),
    ]);
    const close = handler.closed?.get('table:table');
    const closed = new Map(handler.closed).set('table:table', () => {
      this.tables -= 1;
      close?.();
    });
    const { namespaces, allowsNamedType, skipped, text } = handler;
    return { ...handler, namespaces, allowsNamedType, skipped, text, opened, closed };
  }

  /** The report of a file; undefined for a text without inner parts, which is one part. */
  report(isSpreadsheet: boolean, { pages }: ExtractedText, inner: InnerCounts): ExtractionReport | undefined {
    const tally = new PartTally();
    if (isSpreadsheet) {
      tally.count('SHEET', this.sheets);
      tally.read('SHEET', this.sheets);
    } else if (this.slides > 0) {
      tally.count('SLIDE', this.slides);
      tally.read('SLIDE', pages.length);
      tally.leaveOut('SLIDE', 'NO_TEXT', this.slides - pages.length);
    } else if (this.comments + this.charts + countOf(inner) === 0) return undefined;
    else {
      tally.count('PART');
      tally.read('PART');
    }
    this.countComments(tally, inner);
    this.countCharts(tally, inner);
    countOthers(tally, inner);
    return tally.report();
  }

  private countComments(tally: PartTally, { shown }: InnerCounts): void {
    if (this.comments === 0) return;
    tally.count('COMMENT', this.comments);
    tally.read('COMMENT', shown.comments);
    tally.leaveOut('COMMENT', 'NO_TEXT', this.comments - shown.comments);
  }

  /** Charts in folders of their own, and those of a flat file. */
  private countCharts(tally: PartTally, { objects: { objects, damaged }, shown }: InnerCounts): void {
    const charts = [...objects].filter(([, { isChart }]) => isChart);
    const counted = charts.length + damaged + this.charts;
    if (counted === 0) return;
    tally.count('CHART', counted);
    tally.read('CHART', this.charts);
    tally.leaveOut('CHART', 'DAMAGED', damaged);
    for (const [folder, { text }] of charts) {
      if (text === '') tally.leaveOut('CHART', 'NO_TEXT');
      else if (shown.written.has(folder)) tally.read('CHART');
    }
  }
}

/** What a file has beside its body. */
interface InnerCounts {
  readonly objects: InnerObjects;
  readonly shown: ShownParts;
  readonly pictures: number;
}

const countOf = ({ objects: { objects, damaged, files, others }, pictures }: InnerCounts): number =>
  objects.size + damaged + files.length + others + pictures;

/** Embedded texts and tables, objects of other programs, and pictures. */
const countOthers = (tally: PartTally, { objects, shown, pictures }: InnerCounts): void => {
  const inner = [...objects.objects].filter(([, { isChart }]) => !isChart);
  const attached = inner.length + objects.files.length + objects.others;
  if (attached > 0) {
    tally.count('ATTACHMENT', attached);
    tally.read('ATTACHMENT', objects.files.length);
    tally.leaveOut('ATTACHMENT', 'UNSUPPORTED', objects.others);
    for (const [folder, { text }] of inner) {
      if (text === '') tally.leaveOut('ATTACHMENT', 'UNSUPPORTED');
      else if (shown.written.has(folder)) tally.read('ATTACHMENT');
    }
  }
  if (pictures === 0) return;
  tally.count('RELATION', pictures);
  tally.leaveOut('RELATION', 'PICTURE', pictures);
};
