import type { FlowWriter } from '../../flow-writer';
import { isPageNumber } from '../../page-number';
import type { TextBuilder } from '../../text-builder';

/** Writes paragraphs and table rows at their end marks in RTF. */
export class RtfBody {
  private paragraph = '';
  private readonly notes: string[] = [];
  private row: string[] = [];
  private cell = '';
  private inTable = false;
  private isHeader = false;
  /** Lines of headers and footers of pages that stand in the text already. */
  private readonly ranLines = new Set<string>();
  private readonly footers: string[] = [];

  constructor(
    private readonly flow: FlowWriter,
    private readonly builder: TextBuilder,
  ) {}

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

  /** The lines of a page header stand before what follows, those of a footer at the end; each once. */
  closeRunning(isHeader: boolean): void {
    const lines = (this.notes.pop() ?? '').split('\n').map((line) => line.trim());
    for (const line of lines) {
      if (line === '' || isPageNumber(line) || this.ranLines.has(line)) continue;
      this.ranLines.add(line);
      if (isHeader) this.builder.running(line);
      else this.footers.push(line);
    }
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
    while (this.notes.length > 0) this.closeNote();
    if (this.row.length > 0) this.endRow();
    this.endParagraph(false, 0);
    this.flow.end();
    for (const line of this.footers) this.builder.running(line);
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
