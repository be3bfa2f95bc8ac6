import type { Row } from './rows';

interface Shape {
  /** Usual distance of its lines. */
  readonly pitch: number;
  readonly left: number;
  readonly right: number;
}

/** In multiples of the usual line distance, of the letter size and of the width of the block. */
const WIDER = 1.3;
const LEADING = 1.2;
const WIDEST = 2;
const INDENT = 0.8;
const DEEP_INDENT = 5;
const SHORT = 0.2;
const OTHER_SIZE = 0.1;

const LABEL = /^(?:[•▪➢‣◦●○■–—*-]|\(?(?:\p{L}|[ivx]{2,5})\)|\(?\d{1,3}[.)]|(?:\d{1,3}\.){2,5}\d{0,3})\s/u;
const LEADERS = /\.{4}|(?: \.){4}/;
const ENDS_SENTENCE = /[.!?:;…。][)»”"'’]?$/;
const BEGINS_LOW = /^\p{Ll}/u;

const shapeOf = (rows: readonly Row[]): Shape => {
  const distances = rows.slice(1).map(({ base }, index) => base - (rows[index]?.base ?? base));
  return {
    pitch: distances.sort((one, other) => one - other)[distances.length >> 1] ?? 0,
    left: rows.reduce((least, { left }) => Math.min(least, left), Infinity),
    right: rows.reduce((most, { right }) => Math.max(most, right), -Infinity),
  };
};

/** A row of a table of contents is separate; a cell of a table row may continue below. */
const standsAlone = ({ text }: Row, before: Row): boolean => LEADERS.test(text) || LEADERS.test(before.text);

const looksOther = (row: Row, before: Row): boolean =>
  Math.abs(row.size - before.size) > OTHER_SIZE * before.size || row.bold !== before.bold;

const isIndented = (row: Row | undefined, { left }: Shape): boolean =>
  row !== undefined && row.left - left > INDENT * row.size;

/** The first line of a paragraph is indented, the lines around it are not, and none of them is a list item. */
const isSetIn = (row: Row, before: Row, after: Row | undefined, shape: Shape): boolean =>
  isIndented(row, shape) &&
  row.left - shape.left < DEEP_INDENT * row.size &&
  !isIndented(before, shape) &&
  !isIndented(after, shape) &&
  !LABEL.test(before.text);

const endsShort = ({ right, text }: Row, shape: Shape): boolean =>
  shape.right - right > SHORT * (shape.right - shape.left) && ENDS_SENTENCE.test(text);

/** Large letters have a larger line distance than the rest of their block, but less than paragraphs. */
const usualPitch = ({ size }: Row, { pitch }: Shape): number =>
  pitch < size ? LEADING * size : Math.min(pitch, WIDEST * size);

const startsParagraph = (row: Row, before: Row, after: Row | undefined, shape: Shape): boolean =>
  row.base - before.base > WIDER * usualPitch(row, shape) ||
  looksOther(row, before) ||
  row.hasCells ||
  standsAlone(row, before) ||
  LABEL.test(row.text) ||
  endsShort(before, shape) ||
  isSetIn(row, before, after, shape);

/** A block continues the sentence of the block before if that one is unfinished and this one begins in lower case. */
const goesOn = (row: Row, before: Row | null): boolean =>
  before !== null && BEGINS_LOW.test(row.text) && !ENDS_SENTENCE.test(before.text) && !looksOther(row, before);

/**
 * For each row of a block, whether a paragraph starts with it.
 * @param last row of the block that is read before
 */
export const paragraphStarts = (rows: readonly Row[], last: Row | null): boolean[] => {
  const shape = shapeOf(rows);
  return rows.map((row, index) => {
    const before = rows[index - 1];
    return before === undefined ? !goesOn(row, last) : startsParagraph(row, before, rows[index + 1], shape);
  });
};
