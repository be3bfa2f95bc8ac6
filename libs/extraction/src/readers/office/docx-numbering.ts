import type { XmlElement } from '../archive';
import type { NumberingPlace } from './docx-styles';
import type { OfficePackage } from './office-package';
import { formatNumber } from './number-words';

const LEVELS = 9;

interface Level {
  start: number;
  format: string;
  /** Template of the label, such as `%1.%2.`. */
  text: string;
}

const FIRST: Readonly<Level> = { start: 1, format: 'decimal', text: '' };

/** The labels of numbered paragraphs. Contracts are cited by them, and the text itself lacks them. */
export class DocxNumbering {
  private readonly definitions = new Map<string, Map<number, Level>>();
  /** Definition of each list. */
  private readonly lists = new Map<string, string>();
  /** Levels that a list restarts, with their first number, until the restart. */
  private readonly restarts = new Map<string, Map<number, number>>();
  private readonly counters = new Map<string, number[]>();

  static async read(office: OfficePackage, part: string | undefined): Promise<DocxNumbering> {
    const result = new DocxNumbering();
    if (part !== undefined && office.has(part)) await result.load(office, part);
    return result;
  }

  /** The label of the next item of a list: its formatted number, `•` without one, '' outside lists. */
  next({ list, level }: NumberingPlace): string {
    const definition = this.lists.get(list);
    const levels = this.definitions.get(definition ?? '');
    if (definition === undefined || levels === undefined || level >= LEVELS) return '';
    const counts = this.counters.get(definition) ?? [];
    this.counters.set(definition, counts);
    this.restart(list, counts);
    for (let above = 0; above < level; above += 1) counts[above] ??= levels.get(above)?.start ?? 1;
    counts[level] = (counts[level] ?? (levels.get(level)?.start ?? 1) - 1) + 1;
    counts.length = level + 1;
    return this.label(levels, level, counts);
  }

  /** Lists of one definition continue the same count, except those with a start value. */
  private restart(list: string, counts: number[]): void {
    for (const [level, start] of this.restarts.get(list) ?? []) counts[level] = start - 1;
    this.restarts.delete(list);
  }

  private label(levels: ReadonlyMap<number, Level>, level: number, counts: readonly number[]): string {
    const { format = 'none', text = '' } = levels.get(level) ?? {};
    if (format === 'bullet') return '•';
    if (format === 'none') return '';
    return text.slice(0, 80).replace(/%([1-9])/g, (_whole, digit: string) => {
      const place = Number(digit) - 1;
      return formatNumber(counts[place] ?? 1, levels.get(place)?.format ?? 'decimal');
    });
  }

  private async load(office: OfficePackage, part: string): Promise<void> {
    let levels = new Map<number, Level>();
    let level: Level = { ...FIRST };
    let list = '';
    let override = 0;
    const opened = new Map<string, (element: XmlElement) => void>([
      ['w:abstractNum', (element) => this.definitions.set(element.get('w:abstractNumId') ?? '', (levels = new Map()))],
      ['w:lvl', (element) => levels.set(element.count('w:ilvl') ?? 0, (level = { ...FIRST }))],
      ['w:start', (element) => (level.start = element.count('w:val') ?? 1)],
      ['w:numFmt', (element) => (level.format = element.get('w:val') ?? 'decimal')],
      ['w:lvlText', (element) => (level.text = element.get('w:val') ?? '')],
      // An overridden level is rare: it is stored separately, and the definition stays unchanged.
      ['w:num', (element) => ([list, levels] = [element.get('w:numId') ?? '', new Map<number, Level>()])],
      ['w:abstractNumId', (element) => this.lists.set(list, element.get('w:val') ?? '')],
      ['w:lvlOverride', (element) => (override = element.count('w:ilvl') ?? 0)],
      ['w:startOverride', (element) => this.setRestart(list, override, element.count('w:val') ?? 1)],
    ]);
    await office.walk(part, { opened });
  }

  private setRestart(list: string, level: number, start: number): void {
    const restarts = this.restarts.get(list) ?? new Map<number, number>();
    this.restarts.set(list, restarts.set(level, start));
  }
}
