import type { ExtractedText, Heading, Table } from './extracted-text';

/** Characters of a context, at most. */
const LONGEST = 1_000;
const SEPARATOR = ' › ';

const headingsAt = (headings: readonly Heading[], position: number): Heading[] => {
  const path: Heading[] = [];
  for (const heading of headings) {
    if (heading.start > position) break;
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
  }
  return path;
};

/** The caption of the table that a chunk begins in, and the row that names its columns if the chunk lacks it. */
const tableLines = (text: string, table: Table | undefined, position: number): string[] => {
  if (table === undefined) return [];
  const { title, header } = table;
  const names = header === null || header.start >= position ? null : text.slice(header.start, header.end);
  return [title, names].filter((line): line is string => line !== null && line.trim() !== '');
};

/**
 * The context of a chunk that begins at a position: title and headings above it, highest first. Rows of a table also
 * get its caption and the names of its columns.
 */
export const contextOf = (document: ExtractedText, position: number, table?: Table): string => {
  const { text, title } = document;
  const path = headingsAt(document.headings, position).map((heading) => heading.title);
  const first = text.length - text.trimStart().length;
  // The beginning of a text contains its title already.
  const named = title === null || position <= first || path.includes(title) ? path : [title, ...path];
  const lines = [named.join(SEPARATOR), ...tableLines(text, table, position)].filter((line) => line !== '');
  return lines.join('\n').slice(0, LONGEST).toWellFormed();
};
