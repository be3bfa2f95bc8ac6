import type { XmlElement } from '../archive';
import { type NumberFormat, numberFormatOf } from './number-format';
import type { OfficePackage } from './office-package';
import { drawnTexts } from './drawn-texts';

interface Series {
  name: string;
  readonly categories: Map<number, string>;
  readonly values: Map<number, string>;
}

const CATEGORIES = ['c:cat', 'c:xVal'];
const VALUES = ['c:val', 'c:yVal', 'c:bubbleSize'];

const numberIn = (format: NumberFormat | null, text: string): string => {
  const value = Number(text);
  return format === null || text.trim() === '' || !Number.isFinite(value) ? text : format(value);
};

/** Collects titles, series, categories and values of a chart, as the file last showed them. */
class Chart {
  readonly skipped = new Set(['mc:Fallback', 'c:txPr', 'c:externalData', 'cx:fmtOvrs']);
  private readonly titles: string[] = [];
  private readonly labels: string[] = [];
  private readonly series: Series[] = [];
  private title: string | null = null;
  private label = '';
  private text = '';
  private index = 0;
  private place: 'name' | 'categories' | 'values' | 'label' | null = null;
  private format: NumberFormat | null = null;

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['c:title', () => (this.title = '')],
    ['cx:title', () => (this.title = '')],
    ['a:t', () => (this.text = '')],
    ['c:ser', () => this.series.push({ name: '', categories: new Map(), values: new Map() })],
    ['c:tx', () => (this.place = this.place === 'label' ? 'label' : 'name')],
    ['c:dLbl', () => ([this.place, this.label] = ['label', ''])],
    ...CATEGORIES.map((name) => [name, () => this.enter('categories')] as const),
    ...VALUES.map((name) => [name, () => this.enter('values')] as const),
    ['c:pt', (element) => (this.index = element.count('idx') ?? 0)],
    ['cx:pt', () => (this.text = '')],
    ['cx:v', () => (this.text = '')],
    ['c:v', () => (this.text = '')],
    ['c:formatCode', () => (this.text = '')],
  ]);

  readonly closed = new Map<string, () => void>([
    ['c:title', () => this.endTitle()],
    ['cx:title', () => this.endTitle()],
    ['a:t', () => this.addLetters(this.text)],
    ['a:p', () => this.addLetters(' ')],
    ['c:dLbl', () => this.endLabel()],
    ['c:formatCode', () => (this.format = numberFormatOf(164, this.text, { in1904: false, rare: null }))],
    ['c:v', () => this.add(this.text)],
    // The newer kind of charts lists categories and values as points of its data.
    ['cx:pt', () => this.titles.push(this.text)],
    // A title repeats its words as letters behind them.
    ['cx:v', () => this.title === null && this.titles.push(this.text)],
    ['c:tx', () => (this.place = this.place === 'label' ? 'label' : null)],
    ...[...CATEGORIES, ...VALUES].map((name) => [name, () => (this.place = null)] as const),
  ]);

  readonly onText = (text: string): void => {
    this.text += text;
  };

  /** The titles, then a line for each category with its values. */
  lines(): string[] {
    const titles = this.titles.map((title) => title.trim()).filter((title) => title !== '');
    if (this.series.length === 0) return [...titles, ...this.labels];
    const named = this.series.some(({ name }) => name !== '');
    const labels = new Map(this.series.flatMap(({ categories }) => [...categories]));
    const indices = [
      ...new Set(this.series.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()])),
    ];
    const rows = indices
      .sort((one, other) => one - other)
      .map((index) => [labels.get(index) ?? '', ...this.series.map(({ values }) => values.get(index) ?? '')]);
    const header = named ? [['', ...this.series.map(({ name }) => name)]] : [];
    const hasLabels = labels.size > 0;
    return [
      ...titles,
      ...[...header, ...rows].map((row) => (hasLabels ? row : row.slice(1)).join(' | ').replace(/^ \| /, '')),
      ...this.labels,
    ];
  }

  private addLetters(text: string): void {
    if (this.title !== null) this.title += text;
    else if (this.place === 'label') this.label += text;
  }

  private endTitle(): void {
    this.titles.push(this.title ?? '');
    this.title = null;
  }

  /** A label that an author wrote instead of the value that it stands at. */
  private endLabel(): void {
    if (this.label.trim() !== '') this.labels.push(this.label.trim());
    this.place = null;
  }

  private enter(place: 'categories' | 'values'): void {
    this.place = place;
    this.format = null;
  }

  private add(text: string): void {
    // The title may be the text of a cell.
    if (this.title !== null) return void (this.title += text);
    const series = this.series.at(-1);
    if (series === undefined || this.place === null) return;
    if (this.place === 'name') series.name = text;
    else if (this.place === 'values') series.values.set(this.index, numberIn(this.format, text));
    else if (this.place === 'categories') {
      // The levels of a category, from the inner one outwards.
      const inner = series.categories.get(this.index);
      series.categories.set(this.index, inner === undefined ? numberIn(this.format, text) : `${text} ${inner}`);
    }
  }
}

/** The text of a chart, line by line; '' for one without text. */
export const readChart = async (office: OfficePackage, part: string): Promise<string> => {
  const chart = new Chart();
  const { opened, closed, skipped, onText } = chart;
  await office.walk(part, { opened, closed, skipped, text: onText });
  const drawings = (await office.relations(part)).filter(({ kind }) => kind === 'chartUserShapes');
  const drawn: string[] = [];
  for (const drawing of drawings) if (office.has(drawing.part)) drawn.push(...(await drawnTexts(office, drawing.part)));
  return [...chart.lines(), ...drawn].join('\n');
};
