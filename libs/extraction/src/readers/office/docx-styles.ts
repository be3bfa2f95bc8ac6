import type { XmlElement } from '../archive';
import type { OfficePackage } from './office-package';
import { isOn } from './on-off';

const MOST_STEPS = 20;
const NAMED_HEADING = /^(?:heading|título|titre|überschrift|titolo|titulo|encabezado) ?(\d)$/i;

/** Names of built-in styles are English in every language of Word. */
const CONTENTS = /^(?:toc|contents) \d$|^table of figures$/i;

interface Writable {
  name: string;
  basedOn: string | null;
  level: number | null;
  numbering: NumberingPlace | null;
  /** Whether its text is hidden; null if the style does not say. */
  hidden: boolean | null;
}

type Style = Readonly<Writable>;

/** Kinds of styles whose properties text inherits. */
const OF_TEXT = ['paragraph', 'character'];

/** The list that a paragraph is an item of. */
export interface NumberingPlace {
  readonly list: string;
  readonly level: number;
}

/** Outline levels in the file: 0 the highest, 9 none. */
export const headingLevel = (outline: number | undefined): number | null =>
  outline === undefined ? null : outline < 9 ? outline + 1 : 0;

const levelByName = (name: string): number | null => {
  if (/^(?:title|título|titulo|titre|titel|titolo)$/i.test(name)) return 1;
  const level = NAMED_HEADING.exec(name)?.[1];
  return level === undefined ? null : Number(level);
};

/** Properties of paragraphs from their styles, including inherited ones. */
export class DocxStyles {
  private readonly styles = new Map<string, Style>();

  static async read(office: OfficePackage, part: string | undefined): Promise<DocxStyles> {
    const result = new DocxStyles();
    if (part !== undefined && office.has(part)) await result.load(office, part);
    return result;
  }

  /** Heading level of a paragraph of this style; 0 for none. */
  level(style: string | null): number {
    return this.first(style, ({ level, name }) => level ?? levelByName(name)) ?? 0;
  }

  /** Whether this style is for a table of contents, which only repeats headings. */
  listsHeadings(style: string | null): boolean {
    return CONTENTS.test(this.styles.get(style ?? '')?.name ?? '');
  }

  numbering(style: string | null): NumberingPlace | null {
    return this.first(style, ({ numbering }) => numbering);
  }

  /** Whether a style of paragraphs or of characters hides its text. */
  hides(style: string | null): boolean {
    return this.first(style, ({ hidden }) => hidden) ?? false;
  }

  private first<T>(id: string | null, pick: (style: Style) => T | null): T | null {
    let style = this.styles.get(id ?? '');
    for (let step = 0; style !== undefined && step < MOST_STEPS; step += 1) {
      const found = pick(style);
      if (found !== null) return found;
      style = this.styles.get(style.basedOn ?? '');
    }
    return null;
  }

  private async load(office: OfficePackage, part: string): Promise<void> {
    let id: string | null = null;
    const blank = (): Omit<Writable, 'numbering'> => ({ name: '', basedOn: null, level: null, hidden: null });
    let style = blank();
    let place = { list: null as string | null, level: 0 };
    const opened = new Map<string, (element: XmlElement) => void>([
      [
        'w:style',
        (element) => {
          id = OF_TEXT.includes(element.get('w:type') ?? '') ? (element.get('w:styleId') ?? null) : null;
          style = blank();
          place = { list: null, level: 0 };
        },
      ],
      ['w:name', (element) => (style.name = element.get('w:val') ?? '')],
      ['w:basedOn', (element) => (style.basedOn = element.get('w:val') ?? null)],
      ['w:vanish', (element) => (style.hidden = isOn(element))],
      ['w:outlineLvl', (element) => (style.level = headingLevel(element.count('w:val')))],
      ['w:numId', (element) => (place.list = element.get('w:val') ?? null)],
      ['w:ilvl', (element) => (place.level = element.count('w:val') ?? 0)],
    ]);
    const keep = (): void => {
      const numbering = place.list === null ? null : { list: place.list, level: place.level };
      if (id !== null) this.styles.set(id, { ...style, numbering });
      id = null;
    };
    await office.walk(part, { opened, closed: new Map([['w:style', keep]]) });
  }
}
