import type { FlowWriter } from '../../flow-writer';

/** Writes paragraphs and table rows at their end marks in RTF. */
export class RtfBody {
  private paragraph = '';
  private readonly notes: string[] = [];
  private row: string[] = [];
  private cell = '';
  private inTable = false;
  private isHeader = false;

  constructor(private readonly flow: FlowWriter) {}

  add(text: string): void {
    if (this.notes.length > 0) this.notes[this.notes.length - 1] += text;
    else this.paragraph += text;
  }

  openNote(): void {
    this.notes.push('');
  }

  closeNote(): void {
    const note = this.notes.pop();
    if (note !== undefined && note.trim() !== '') this.flow.note(note.trim());
  }

  /** @param inCell whether the paragraph is in a table. */
  endParagraph(inCell: boolean, level: number): void {
    if (this.notes.length > 0) return this.add('\n');
    const text = this.take();
    if (inCell) this.cell += `${text} `;
    else {
      this.endTable();
      this.flow.paragraph(text, level);
    }
  }

  endCell(): void {
    this.row.push(this.cell + this.take());
    this.cell = '';
  }

  /** The definition of a row comes before or after its cells; it marks header rows. */
  startRow(): void {
    this.isHeader = false;
  }

  markHeader(): void {
    this.isHeader = true;
  }

  endRow(): void {
    if (!this.inTable) this.flow.openTable();
    this.inTable = true;
    this.flow.openRow(this.isHeader);
    for (const text of this.row) {
      this.flow.openCell();
      this.flow.paragraph(text);
    }
    this.row = [];
  }

  end(): void {
    if (this.row.length > 0) this.endRow();
    this.endParagraph(false, 0);
    this.flow.end();
  }

  private endTable(): void {
    if (this.inTable) this.flow.closeTable();
    this.inTable = false;
  }

  private take(): string {
    const { paragraph } = this;
    this.paragraph = '';
    return paragraph;
  }
}
