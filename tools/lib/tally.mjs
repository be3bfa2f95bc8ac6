import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './options.mjs';

const folder = join(root, 'node_modules', '.acervo-tests');

/** Deletes the counts of all runs, or of one. */
export const forgetTally = (name) =>
  rmSync(name === undefined ? folder : join(folder, `${name}.json`), { recursive: true, force: true });

/** The failures, at the end of a long log, and one line with the sums of all or some runs. */
export const tally = (names) => {
  const wanted = (file) => names === undefined || names.some((name) => file === `${name}.json`);
  const counts = existsSync(folder)
    ? readdirSync(folder)
        .filter(wanted)
        .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    : [];
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  const skipped = sum('skipped');
  const complaints = counts.flatMap((count) => count.complaints.map((complaint) => `${complaint}\n\n`));
  return `${complaints.join('')}${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${tally()}\n`);
