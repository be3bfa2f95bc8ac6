import type { XmlElement } from '../archive';
import { formatNumber } from '../office';

/** Number formats of OpenDocument and their names in Office files. */
const FORMATS = new Map([
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
]);
/** The style of headings, which has no name that a list could use. */
const OUTLINE = '\0outline';
const MOST_LEVELS = 10;

interface LevelStyle {
  readonly isNumber: boolean;
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Number of levels in the label, ending with its own. */
  readonly shown: number;
  readonly start: number;
}

/** Numbers of a list by level; a number ends those of the levels below it. */
type Numbers = (number | undefined)[];

interface OpenList {
  readonly style: string;
  readonly numbers: Numbers;
  /** The first paragraph of an item carries its label. */
  isFresh: boolean;
  restart: number | undefined;
  hasInnerList: boolean;
}

/** Labels of list items and headings, as the list styles before the text define them. */
export class ListLabels {
  private readonly styles = new Map<string, Map<number, LevelStyle>>();
  private readonly lists: OpenList[] = [];
  /** Numbers of finished lists by their ID, and of the last list of each style. */
  private readonly finished = new Map<string, Numbers>();
  private readonly outline: Numbers = [];
  private defined = new Map<number, LevelStyle>();

  defineStyle(element: XmlElement): void {
    this.defineNamed(element.get('style:name') ?? '');
  }

  defineOutline(): void {
    this.defineNamed(OUTLINE);
  }

  defineLevel(element: XmlElement, isNumber: boolean): void {
    const format = element.get('style:num-format') ?? '';
    this.defined.set(element.count('text:level') ?? 1, {
      isNumber: isNumber && format !== '',
      format: FORMATS.get(format) ?? 'decimal',
      prefix: element.get('style:num-prefix') ?? '',
      suffix: element.get('style:num-suffix') ?? '',
      shown: Math.min(element.count('text:display-levels') ?? 1, MOST_LEVELS),
      start: element.count('text:start-value') ?? 1,
    });
  }

  open(element: XmlElement): void {
    const parent = this.lists.at(-1);
    const style = element.get('text:style-name') ?? parent?.style ?? '';
    const numbers = parent === undefined ? this.continued(element, style) : this.inner(parent);
    this.lists.push({ style, numbers, isFresh: false, restart: undefined, hasInnerList: false });
    const id = element.get('xml:id') ?? element.get('text:id');
    if (id !== undefined) this.finished.set(`id ${id}`, numbers);
    if (parent === undefined) this.finished.set(`style ${style}`, numbers);
  }

  close(): void {
    this.lists.pop();
  }

  openItem(element: XmlElement): void {
    const list = this.lists.at(-1);
    if (list === undefined) return;
    list.restart = element.count('text:start-value');
    list.isFresh = true;
    list.hasInnerList = false;
  }

  /** The label of the paragraph that begins, with the space after it; '' without a label. */
  take(): string {
    const list = this.lists.at(-1);
    if (list?.isFresh !== true) return '';
    list.isFresh = false;
    const style = this.styles.get(list.style);
    const level = this.lists.length;
    count(list.numbers, level, list.restart ?? (list.numbers[level - 1] ?? (style?.get(level)?.start ?? 1) - 1) + 1);
    return labelOf(style, list.numbers, level) ?? '• ';
  }

  /** The number of a heading, with the space after it; '' where headings have no numbers, or it stands in a list. */
  takeOutline(level: number): string {
    if (this.lists.length > 0) return this.take();
    const style = this.styles.get(OUTLINE);
    if (style === undefined || level > MOST_LEVELS) return '';
    count(this.outline, level, (this.outline[level - 1] ?? (style.get(level)?.start ?? 1) - 1) + 1);
    return labelOf(style, this.outline, level) ?? '';
  }

  private defineNamed(name: string): void {
    this.defined = new Map();
    this.styles.set(name, this.defined);
  }

  private continued(element: XmlElement, style: string): Numbers {
    const list = element.get('text:continue-list');
    if (list !== undefined) return this.finished.get(`id ${list}`) ?? [];
    return element.get('text:continue-numbering') === 'true' ? (this.finished.get(`style ${style}`) ?? []) : [];
  }

  /** The first list inside an item goes on where that level was; a further one begins again. */
  private inner(parent: OpenList): Numbers {
    if (parent.hasInnerList) parent.numbers.length = Math.min(parent.numbers.length, this.lists.length);
    parent.hasInnerList = true;
    return parent.numbers;
  }
}

const count = (numbers: Numbers, level: number, number: number): void => {
  numbers[level - 1] = number;
  numbers.length = level;
};

/** Undefined for a level without a number. */
const labelOf = (
  style: ReadonlyMap<number, LevelStyle> | undefined,
  numbers: Numbers,
  level: number,
): string | undefined => {
  const innermost = style?.get(level);
  if (innermost?.isNumber !== true) return undefined;
  const shown: string[] = [];
  for (let each = Math.max(1, level - innermost.shown + 1); each <= level; each += 1) {
    const outer = style?.get(each);
    if (outer?.isNumber === true) shown.push(formatNumber(numbers[each - 1] ?? outer.start, outer.format));
  }
  return `${innermost.prefix}${shown.join('.')}${innermost.suffix} `;
};
