import { readFileSync } from 'node:fs';

/** Rows of a tab-separated list of files with what is expected of each: its first line names the columns. */
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

/** Single chunks, and pairs that follow each other in their document. */
const passages = (chunks) => {
  const byNumber = new Map(chunks.map((chunk) => [chunk.extra.chunk_number, chunk]));
  const pairs = chunks.flatMap((chunk) => {
    const next = byNumber.get(chunk.extra.chunk_number + 1);
    return next === undefined ? [] : [{ text: `${chunk.text} ${next.text}`, pages: [chunk.page, next.page] }];
  });
  return [...chunks.map((chunk) => ({ text: chunk.text, pages: [chunk.page] })), ...pairs];
};

/** What is wrong with what a search found for a row; null where nothing is. */
export const snippetProblem = (row, found) => {
  if (found === undefined) return 'not among the results';
  const holding = passages(found.chunks).filter(({ text }) => collapse(text).includes(collapse(row.snippet)));
  if (holding.length === 0) return 'no returned chunk, nor two adjacent ones, hold the snippet';
  if (row.page === '' || holding.some(({ pages }) => pages.includes(Number(row.page)))) return null;
  return `on page ${holding[0].pages.join(' and ')} instead of ${row.page}`;
};

const FAILED = ['ERROR', 'UNSUPPORTED'];
const MAY_GIVE_TEXT = /text (?:without|instead|is)/;

/** What is wrong with a document whose file is expected to give no text; null where nothing is. */
export const refusalProblem = (row, { status, reason }) => {
  if (status === 'VECTORIZED' && MAY_GIVE_TEXT.test(row.note)) return null;
  if (!FAILED.includes(status)) return `ended as ${status}`;
  return typeof reason === 'string' && reason !== '' ? null : 'no reason is given';
};
