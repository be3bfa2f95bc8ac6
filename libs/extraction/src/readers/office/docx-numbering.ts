import type { XmlElement } from '../archive';
import type { NumberingPlace } from './docx-styles';
import type { OfficePackage } from './office-package';
import { formatNumber } from './number-words';

const LEVELS = 9;

interface Level {
  start: number;
  format: string;
  /** How the label is written, such as `%1.%2.`. */
  text: string;
}

/** The labels of numbered paragraphs: a contract is cited by them, and they stand nowhere in its text. */
export class DocxNumbering {
  private readonly definitions = new Map<string, Map<number, Level>>();
  /** Definition of each list. */
  private readonly lists = new Map<string, string>();
  private readonly counters = new Map<string, number[]>();

  static async read(office: OfficePackage, part: string | undefined): Promise<DocxNumbering> {
    const result = new DocxNumbering();
    if (part !== undefined && office.has(part)) await result.load(office, part);
    return result;
  }

  /** The label of the next item of a list: its number as written, `•` without one, '' for no list. */
  next({ list, level }: NumberingPlace): string {
    const definition = this.lists.get(list);
    const levels = this.definitions.get(definition ?? '');
    if (definition === undefined || levels === undefined || level >= LEVELS) return '';
    const counts = this.counters.get(definition) ?? [];
    this.counters.set(definition, counts);
    for (let above = 0; above < level; above += 1) counts[above] ??= levels.get(above)?.start ?? 1;
    counts[level] = (counts[level] ?? (levels.get(level)?.start ?? 1) - 1) + 1;
    counts.length = level + 1;
    return this.label(levels, level, counts);
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
    let level: Level = { start: 1, format: 'decimal', text: '' };
    let list = '';
    const opened = new Map<string, (element: XmlElement) => void>([
      [
        'w:abstractNum',
        (element) => this.definitions.set(element.get('w:abstractNumId') ?? '', (levels = new Map<number, Level>())),
      ],
      [
        'w:lvl',
        (element) => levels.set(element.count('w:ilvl') ?? 0, (level = { start: 1, format: 'decimal', text: '' })),
      ],
      ['w:start', (element) => (level.start = element.count('w:val') ?? 1)],
      ['w:numFmt', (element) => (level.format = element.get('w:val') ?? 'decimal')],
      ['w:lvlText', (element) => (level.text = element.get('w:val') ?? '')],
      ['w:num', (element) => (list = element.get('w:numId') ?? '')],
      ['w:abstractNumId', (element) => this.lists.set(list, element.get('w:val') ?? '')],
    ]);
    // Lists that change a level for themselves are rare; their items count as those of the definition.
    await office.walk(part, { opened, skipped: new Set(['w:lvlOverride']) });
  }
}
