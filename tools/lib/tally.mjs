import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './options.mjs';

const folder = join(root, 'node_modules', '.acervo-tests');

/** Deletes the outcomes of all runs, or of one. */
export const forgetTally = (name) =>
  rmSync(name === undefined ? folder : join(folder, `${name}.json`), { recursive: true, force: true });

const readRun = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

/** The name of the run that repeated a suite of a run. */
export const rerunName = (run, at) => `${run}.rerun-${at}`;

const originOf = (name) => name.replace(/\.rerun-\d+$/, '');

/**
 * The outcome of each suite of all or some runs: `{ run, path, passed, failed, skipped, seconds, failures, first }`.
 * A suite that was repeated has the outcome of the repetition; `first` is that of its first try.
 */
export const outcomes = (runs) => {
  const names = existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : [];
  const wanted = names.filter((name) => runs === undefined || runs.includes(originOf(name)));
  // The name of a repetition begins with that of its run.
  const found = new Map();
  for (const name of wanted.toSorted())
    for (const suite of readRun(name)) {
      const run = originOf(name);
      const key = `${run} ${suite.path}`;
      found.set(key, { ...suite, run, first: name === run ? undefined : found.get(key) });
    }
  return [...found.values()];
};

/** The sums of all or some runs, in one line. */
export const tally = (runs) => {
  const suites = outcomes(runs);
  const sum = (name) => suites.reduce((total, suite) => total + suite[name], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
};
