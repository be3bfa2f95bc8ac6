import type { ExtractedText } from '@acervo/analysis';
import { type ExtractionReport, PartTally } from '../../report';
import type { XmlElement, XmlHandler } from '../archive';

/** Counts the sheets of a spreadsheet and the slides of a presentation while another handler reads them. */
export class PartCounting {
  private sheets = 0;
  private slides = 0;
  private tables = 0;

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
    ]);
    const close = handler.closed?.get('table:table');
    const closed = new Map(handler.closed).set('table:table', () => {
      this.tables -= 1;
      close?.();
    });
    return { ...handler, namespaces: handler.namespaces, skipped: handler.skipped, text: handler.text, opened, closed };
  }

  /** The report of a spreadsheet or a presentation; undefined for a text, which is one part. */
  report(isSpreadsheet: boolean, { pages }: ExtractedText): ExtractionReport | undefined {
    const tally = new PartTally();
    if (isSpreadsheet) {
      tally.count('SHEET', this.sheets);
      tally.read('SHEET', this.sheets);
    } else if (this.slides > 0) {
      tally.count('SLIDE', this.slides);
      tally.read('SLIDE', pages.length);
      tally.leaveOut('SLIDE', 'NO_TEXT', this.slides - pages.length);
    } else return undefined;
    return tally.report();
  }
}
