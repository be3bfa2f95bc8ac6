import { readFileSync } from 'node:fs';

/** The rows of a table of tab-separated values, without its headings. */
export const rowsOf = (file) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
