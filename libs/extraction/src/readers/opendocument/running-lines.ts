import { FlowWriter } from '../../flow-writer';
import { isPageNumber } from '../../page-number';
import type { ReadLimits } from '../../reader';
import { TextBuilder } from '../../text-builder';
import type { XmlElement, XmlHandler } from '../archive';
import type { ListLabels } from './list-labels';
import { openDocumentNamespaces } from './namespaces';
import { SHAPES } from './shapes';
import { SKIPPED, TextBody } from './text-body';

/** What programs compute for each page or day. */
const COMPUTED = ['page-number', 'page-count', 'sheet-name', 'date', 'time', 'file-name'].map((name) => `text:${name}`);
const STYLES = /^text:(?:list-style|outline-style|list-level-style|outline-level-style)/;

type Place = 'header' | 'footer';

/** Headers and footers of the pages that a file defines, and texts of the masters of its slides, each line once. */
export class RunningLines implements XmlHandler {
  readonly namespaces = openDocumentNamespaces;
  readonly allowsNamedType = true;
  readonly skipped = new Set([...SKIPPED, ...COMPUTED, 'office:body', 'presentation:notes']);
  readonly opened = new Map<string, (element: XmlElement) => void>();
  readonly closed = new Map<string, () => void>();
  private readonly lines = { header: new Set<string>(), footer: new Set<string>() };
  private isMaster = false;
  private shapes = 0;
  private place: Place | null = null;
  /** A header ends behind its shapes; a shape of a master ends by itself. */
  private isHeader = false;
  private builder: TextBuilder;
  private body: TextBody;
  private flow: FlowWriter;

  constructor(
    private readonly limits: ReadLimits,
    private readonly labels: ListLabels,
  ) {
    this.skipped.delete('office:master-styles');
    this.builder = new TextBuilder(limits);
    this.flow = new FlowWriter(this.builder);
    this.body = new TextBody(this.builder, this.flow, undefined, labels);
    for (const name of this.body.opened.keys()) this.opened.set(name, (element) => this.pass(name, element));
    for (const name of this.body.closed.keys()) this.closed.set(name, () => this.passEnd(name));
    this.watchMasters();
  }

  /** Lines with letters, without numbers of pages. */
  of(place: Place): string[] {
    return [...this.lines[place]];
  }

  readonly text = (text: string): void => {
    if (this.place !== null) this.body.text(text);
  };

  private watchMasters(): void {
    this.opened.set('style:master-page', () => (this.isMaster = true));
    this.closed.set('style:master-page', () => (this.isMaster = false));
    for (const place of ['header', 'footer'] as const)
      for (const kind of ['', '-left', '-first']) {
        this.opened.set(`style:${place}${kind}`, (element) => this.begin(place, element.get('style:display')));
        this.closed.set(`style:${place}${kind}`, () => this.end());
      }
    for (const name of SHAPES) {
      this.opened.set(name, (element) => this.openShape(name, element));
      this.closed.set(name, () => this.closeShape(name));
    }
  }

  private openShape(name: string, element: XmlElement): void {
    this.shapes += 1;
    const isOwn = this.isMaster && this.place === null && this.shapes === 1;
    if (isOwn && element.get('presentation:class') === undefined) this.begin('footer');
    this.pass(name, element);
  }

  private closeShape(name: string): void {
    this.passEnd(name);
    this.shapes -= 1;
    if (this.shapes === 0 && !this.isHeader) this.end();
  }

  private begin(place: Place, display?: string): void {
    if (display === 'false') return;
    this.isHeader = this.shapes === 0;
    this.place = place;
    this.builder = new TextBuilder(this.limits);
    this.flow = new FlowWriter(this.builder);
    this.body = new TextBody(this.builder, this.flow, undefined, this.labels);
  }

  private end(): void {
    const { place } = this;
    this.place = null;
    this.isHeader = false;
    if (place === null) return;
    this.flow.end();
    if (this.builder.isEmpty) return;
    for (const line of this.builder.build().text.split('\n'))
      if (/\p{L}/u.test(line) && !isPageNumber(line)) this.lines[place].add(line.trim());
  }

  private pass(name: string, element: XmlElement): void {
    if (this.place !== null || STYLES.test(name)) this.body.opened.get(name)?.(element);
  }

  private passEnd(name: string): void {
    if (this.place !== null) this.body.closed.get(name)?.();
  }
}
