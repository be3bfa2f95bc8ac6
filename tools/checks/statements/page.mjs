// The parts of a page in Markdown: its prose, its code within lines, its blocks of code and its tables.

const FENCE = /^ {0,3}(?:```|~~~)/;
const INDENTED = /^ {4,}\S/;
const LIST = /^\s*(?:[-*+]|\d+\.) /;

/** Which lines are code: those of fences, and indented ones below an empty line that continue no list. */
const codeLines = (lines) => {
  let [isFenced, isIndented, isList] = [false, false, false];
  return lines.map((line, at) => {
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      return true;
    }
    if (isFenced) return true;
    if (LIST.test(line)) isList = true;
    else if (/^\S/.test(line)) isList = false;
    const begins = !isList && INDENTED.test(line) && (at === 0 || lines[at - 1].trim() === '' || isIndented);
    isIndented = begins || (isIndented && line.trim() === '');
    return begins;
  });
};

/** Lines as `{ at, text, isCode }`, `at` from 1. */
export const linesOf = (text) => {
  const lines = text.split('\n');
  const code = codeLines(lines);
  return lines.map((line, at) => ({ at: at + 1, text: line, isCode: code[at] }));
};

const SPAN = /(`+)(.+?)\1(?!`)/g;

/** Code within lines of prose, as `{ at, code }`. */
export const codeSpans = (text) =>
  linesOf(text)
    .filter(({ isCode }) => !isCode)
    .flatMap(({ at, text: line }) => [...line.matchAll(SPAN)].map(([, , code]) => ({ at, code })));

/** All code, within lines and in blocks, as `{ at, code }`. */
export const codeOf = (text) => [
  ...codeSpans(text),
  ...linesOf(text)
    .filter(({ isCode }) => isCode)
    .map(({ at, text: code }) => ({ at, code: code.trim() })),
];

/** Prose by line without its code, as `{ at, text }`. */
export const proseOf = (text) =>
  linesOf(text)
    .filter(({ isCode }) => !isCode)
    .map(({ at, text: line }) => ({ at, text: line.replace(SPAN, '') }));

const cellsOf = (line) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
const isRow = ({ isCode, text }) => !isCode && text.startsWith('|');

/** Rows of tables as `{ at, cells, heads }`, with the cells of their heading. */
export const tableRows = (text) => {
  let heads;
  const rows = [];
  for (const line of linesOf(text)) {
    if (!isRow(line)) heads = undefined;
    else if (heads === undefined) heads = cellsOf(line.text);
    else if (!/^[|\s:-]+$/.test(line.text)) rows.push({ at: line.at, cells: cellsOf(line.text), heads });
  }
  return rows;
};
