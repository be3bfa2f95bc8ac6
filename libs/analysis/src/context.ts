import type { ExtractedText, Heading, Table } from './extracted-text';

/** Characters of a context, at most. */
const LONGEST = 1_000;
const SEPARATOR = ' › ';

/** The caption of the table that a chunk begins in, and the row that names its columns if the chunk lacks it. */
const tableLines = (text: string, table: Table | undefined, position: number): string[] => {
  if (table === undefined) return [];
  const { title, header } = table;
  const names = header === null || header.start >= position ? null : text.slice(header.start, header.end);
  return [title, names].filter((line): line is string => line !== null && line.trim() !== '');
};

/** The contexts of the chunks of a text, which are asked for in their order. */
export class Contexts {
  /** Headings above the last position, highest first. */
  private readonly path: Heading[] = [];
  private next = 0;
  private readonly first: number;

  constructor(private readonly document: ExtractedText) {
    const { text } = document;
    this.first = text.length - text.trimStart().length;
  }

  /**
   * The context of a chunk that begins at a position: title and headings above it, highest first. Rows of a table also
   * get its caption and the names of its columns.
   * @param position no smaller than the last one
   */
  at(position: number, table?: Table): string {
    const { text, title } = this.document;
    this.proceedTo(position);
    const path = this.path.map((heading) => heading.title);
    // The beginning of a text contains its title already.
    const named = title === null || position <= this.first || path.includes(title) ? path : [title, ...path];
    const lines = [named.join(SEPARATOR), ...tableLines(text, table, position)].filter((line) => line !== '');
    return lines.join('\n').slice(0, LONGEST).toWellFormed();
  }

  private proceedTo(position: number): void {
    const { headings } = this.document;
    for (let heading = headings[this.next]; heading !== undefined; heading = headings[this.next]) {
      if (heading.start > position) return;
      while (this.path.length > 0 && (this.path.at(-1)?.level ?? 0) >= heading.level) this.path.pop();
      this.path.push(heading);
      this.next += 1;
    }
  }
}
