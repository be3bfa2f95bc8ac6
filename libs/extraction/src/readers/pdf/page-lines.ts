import type { RawLine } from '../../reader';
import { cleanText } from '../../clean-text';
import { blocksOf } from './columns';
import { paragraphStarts } from './paragraphs';
import { type Row, rowsOf } from './rows';
import type { Layer } from './segments';

const share = (place: number, start: number, extent: number): number =>
  extent > 0 ? Math.min(1, Math.max(0, (place - start) / extent)) : 0;

const lineOf = (row: Row, startsParagraph: boolean, { left, top, width, height }: Layer): RawLine => ({
  text: cleanText(row.text),
  size: Math.round(row.size * 10) / 10,
  bold: row.bold,
  top: share(row.base - 0.75 * row.size, top, height),
  bottom: share(row.base + 0.25 * row.size, top, height),
  left: share(row.left, left, width),
  right: share(row.right, left, width),
  startsParagraph,
});

/** The lines of a page in reading order: by direction of text, then by block from top to bottom. Pure. */
export const linesOf = (layers: readonly Layer[]): RawLine[] =>
  layers.flatMap((layer) => {
    let last: Row | null = null;
    return blocksOf(layer.segments).flatMap((block) => {
      const rows = rowsOf(block);
      const starts = paragraphStarts(rows, last);
      last = rows.at(-1) ?? last;
      return rows.map((row, index) => lineOf(row, starts[index] !== false, layer));
    });
  });
