import type { XmlElement } from '../archive';

const isOn = (element: XmlElement): boolean => !['0', 'false', 'off'].includes(element.get('w:val') ?? '');

/** A field of a form, whose choice or mark stands in its properties and not in its text. */
export class FormField {
  private choices: string[] = [];
  private chosen = 0;
  private isMarked: boolean | null = null;

  readonly opened: readonly (readonly [name: string, open: (element: XmlElement) => void])[] = [
    ['w:ddList', () => ([this.choices, this.chosen] = [[], 0])],
    ['w:result', (element) => (this.chosen = element.count('w:val') ?? 0)],
    ['w:listEntry', (element) => this.choices.push(element.get('w:val') ?? '')],
    ['w:checkBox', () => (this.isMarked = false)],
    ['w:checked', (element) => (this.isMarked = isOn(element))],
    // Of an element that is not in the file the default counts; it stands first.
    ['w:default', (element) => (this.isMarked = this.isMarked === null ? null : isOn(element))],
  ];

  /** What the field shows where the file has no text for it; it is forgotten then. */
  take(): string {
    const shown = this.isMarked === null ? (this.choices[this.chosen] ?? '') : this.isMarked ? '☒' : '☐';
    this.forget();
    return shown;
  }

  forget(): void {
    this.choices = [];
    this.isMarked = null;
  }
}
