import type { XmlElement } from '../archive';
import { isOn } from './on-off';

/** A field between its begin and its end. */
interface Field {
  kind: 'list' | 'box' | 'other';
  readonly entries: string[];
  /** The entry of a list that is chosen, and the one that counts where none is. */
  chosen: number | null;
  usual: number;
  isMarked: boolean;
  /** Whether the document has a text for what the field shows. */
  hasText: boolean;
}

const blank = (): Field => ({ kind: 'other', entries: [], chosen: null, usual: 0, isMarked: false, hasText: false });

const shownBy = ({ kind, entries, chosen, usual, isMarked, hasText }: Field): string => {
  if (hasText || kind === 'other') return '';
  if (kind === 'box') return isMarked ? '☒' : '☐';
  return entries[chosen ?? usual] ?? '';
};

/** Fields of a form, whose choice or mark stands in their properties and often not in their text. */
export class FormFields {
  /** Open fields: the text of one may contain others. */
  private readonly fields: Field[] = [];

  readonly opened: readonly (readonly [name: string, open: (element: XmlElement) => void])[] = [
    ['w:ddList', () => this.change({ kind: 'list' })],
    ['w:result', (element) => this.change({ chosen: element.count('w:val') ?? null })],
    ['w:listEntry', (element) => this.fields.at(-1)?.entries.push(element.get('w:val') ?? '')],
    ['w:checkBox', () => this.change({ kind: 'box' })],
    // The default of a box stands before its mark, which replaces it.
    ['w:default', (element) => this.change({ usual: element.count('w:val') ?? 0, isMarked: isOn(element) })],
    ['w:checked', (element) => this.change({ isMarked: isOn(element) })],
  ];

  /** What a mark of a field adds to the text: at its end the choice, unless the document has a text for it. */
  mark(mark: string | undefined): string {
    if (mark === 'begin') this.fields.push(blank());
    // What precedes is the instruction of the field.
    else if (mark === 'separate') this.change({ hasText: false });
    else if (mark === 'end') return this.end();
    return '';
  }

  /** Notices a text that the document shows inside the innermost open field. */
  notice(text: string): void {
    if (text.trim() !== '') this.change({ hasText: true });
  }

  private end(): string {
    const field = this.fields.pop() ?? blank();
    // The text of a field belongs to the field around it, too.
    if (field.hasText) this.change({ hasText: true });
    return shownBy(field);
  }

  private change(change: Partial<Field>): void {
    const field = this.fields.at(-1);
    if (field !== undefined) Object.assign(field, change);
  }
}
