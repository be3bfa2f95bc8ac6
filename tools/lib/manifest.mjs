import { readFileSync } from 'node:fs';

/** Rows of a tab-separated list of files with their expected results; the first line names the columns. */
export const readManifest = (path) => {
  const [head, ...lines] = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
};

const collapse = (text) => text.replace(/\s+/g, ' ').trim();

/** Single chunks, and pairs of consecutive chunks of a document. */
const passages = (chunks) => {
  const byNumber = new Map(chunks.map((chunk) => [chunk.extra.chunk_number, chunk]));
  const pairs = chunks.flatMap((chunk) => {
    const next = byNumber.get(chunk.extra.chunk_number + 1);
    return next === undefined ? [] : [{ text: `${chunk.text} ${next.text}`, pages: [chunk.page, next.page] }];
  });
  return [...chunks.map((chunk) => ({ text: chunk.text, pages: [chunk.page] })), ...pairs];
};

/** The problem of a search result for a row; null without one. */
export const snippetProblem = (row, found) => {
  if (found === undefined) return 'not among the results';
  const containing = passages(found.chunks).filter(({ text }) => collapse(text).includes(collapse(row.snippet)));
  if (containing.length === 0) return 'no returned chunk, nor two adjacent ones, hold the snippet';
  if (row.page === '' || containing.some(({ pages }) => pages.includes(Number(row.page)))) return null;
  return `on page ${containing[0].pages.join(' and ')} instead of ${row.page}`;
};

const FAILED = ['ERROR', 'UNSUPPORTED'];
const MAY_GIVE_TEXT = /text (?:without|instead|is)/;

/** The problem of a document whose file must not give text; null without one. */
export const refusalProblem = (row, { status, reason }) => {
  if (status === 'VECTORIZED' && MAY_GIVE_TEXT.test(row.note)) return null;
  if (!FAILED.includes(status)) return `ended as ${status}`;
  return typeof reason === 'string' && reason !== '' ? null : 'no reason is given';
};
