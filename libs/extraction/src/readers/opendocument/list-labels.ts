import type { XmlElement } from '../archive';
import { formatNumber } from '../office';

/** Number formats of OpenDocument and their names in Office files. */
const FORMATS = new Map([
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
]);

interface LevelStyle {
  readonly isNumber: boolean;
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Number of levels in the label, ending with its own. */
  readonly shown: number;
}

interface OpenList {
  readonly style: string;
  count: number;
  /** The first paragraph of an item carries its label. */
  fresh: boolean;
}

/** Labels of list items, as the list styles before the text define them. */
export class ListLabels {
  private readonly styles = new Map<string, Map<number, LevelStyle>>();
  private readonly lists: OpenList[] = [];
  private defined = new Map<number, LevelStyle>();

  defineStyle(element: XmlElement): void {
    this.defined = new Map();
    this.styles.set(element.get('style:name') ?? '', this.defined);
  }

  defineLevel(element: XmlElement, isNumber: boolean): void {
    const format = element.get('style:num-format') ?? '';
    this.defined.set(element.count('text:level') ?? 1, {
      isNumber: isNumber && format !== '',
      format: FORMATS.get(format) ?? 'decimal',
      prefix: element.get('style:num-prefix') ?? '',
      suffix: element.get('style:num-suffix') ?? '',
      shown: element.count('text:display-levels') ?? 1,
    });
  }

  open(element: XmlElement): void {
    const style = element.get('text:style-name') ?? this.lists.at(-1)?.style ?? '';
    this.lists.push({ style, count: 0, fresh: false });
  }

  close(): void {
    this.lists.pop();
  }

  openItem(element: XmlElement): void {
    const list = this.lists.at(-1);
    if (list === undefined) return;
    list.count = element.count('text:start-value') ?? list.count + 1;
    list.fresh = true;
  }

  /** The label of the paragraph that begins, with the space after it; '' without a label. */
  take(): string {
    const list = this.lists.at(-1);
    if (list?.fresh !== true) return '';
    list.fresh = false;
    const style = this.styles.get(list.style)?.get(this.lists.length);
    if (style === undefined || !style.isNumber) return '• ';
    const numbers = this.lists.slice(-style.shown).map(({ count }) => formatNumber(count, style.format));
    return `${style.prefix}${numbers.join('.')}${style.suffix} `;
  }
}
