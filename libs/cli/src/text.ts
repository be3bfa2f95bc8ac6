/** Styles and links of a terminal, or none. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  mark(text: string): string;
  /** A link that terminals open; the text alone where they do not. */
  link(text: string, address: string): string;
}

const same = (text: string): string => text;
export const noStyle: Style = { bold: same, dim: same, mark: same, link: same };

const ESCAPE = '\u001b';
const wrapped =
  (begin: number, end: number) =>
  (text: string): string =>
    `${ESCAPE}[${begin}m${text}${ESCAPE}[${end}m`;

export const colours: Style = {
  bold: wrapped(1, 22),
  dim: wrapped(2, 22),
  mark: wrapped(33, 39),
  link: (text, address) => `${ESCAPE}]8;;${address}${ESCAPE}\\${text}${ESCAPE}]8;;${ESCAPE}\\`,
};

// Names and passages come from documents: control characters and marks of direction could rewrite the screen.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text of a document in one line, without what a terminal would obey. */
export const safe = (text: string): string => text.replace(/\s+/gu, ' ').replace(UNSAFE, '').trim();

/** The first `width` characters; what is cut shows as an ellipsis. */
export const cut = (text: string, width: number): string => {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
};

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

const SHORTEST_WORD = 3;

/** Marks the words of a passage that begin like a word of the query, without regard to case and accents. */
export const marked = (passage: string, query: string, { mark }: Style): string => {
  const wanted = (folded(query).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= SHORTEST_WORD);
  const isWanted = (word: string): boolean => wanted.some((each) => folded(word).startsWith(each));
  return passage.replace(/[\p{L}\p{N}]+/gu, (word) => (isWanted(word) ? mark(word) : word));
};

const GAP = 2;
const NARROWEST_COLUMN = 8;

const widthOf = (text: string): number => [...text].length;

/** Widths that fit: the widest column gives way until all fit, or none can be narrower. */
const fitted = (widths: readonly number[], columns: number): number[] => {
  const result = [...widths];
  const total = (): number => result.reduce((sum, width) => sum + width, GAP * (result.length - 1));
  while (total() > columns && Math.max(...result) > NARROWEST_COLUMN) {
    const widest = result.indexOf(Math.max(...result));
    result[widest] = Math.max(NARROWEST_COLUMN, (result[widest] ?? 0) - (total() - columns));
  }
  return result;
};

/** A table within so many columns; cells are made safe and cut. */
export const table = (
  heads: readonly string[],
  rows: readonly (readonly unknown[])[],
  { columns, style }: { readonly columns: number; readonly style: Style },
): string => {
  const cells = rows.map((row) => row.map((cell) => safe(cell === null || cell === undefined ? '' : String(cell))));
  const longest = heads.map((head, index) => Math.max(...[head, ...cells.map((row) => row[index] ?? '')].map(widthOf)));
  const widths = fitted(longest, columns);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cut(cell, widths[index] ?? 0))
      .map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell))))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [style.dim(line(heads)), ...cells.map(line), ''].join('\n');
};

/** A bar of progress of that many characters. */
export const bar = (done: number, total: number, width = 24): string => {
  const filled = total === 0 ? width : Math.round((Math.min(done, total) / total) * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`;
};
