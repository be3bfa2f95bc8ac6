import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './options.mjs';

const folder = join(root, 'node_modules', '.acervo-tests');

const runNames = () => (existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : []);
const fileOf = (name) => join(folder, `${name}.json`);

/** The name of the run that repeated a suite of a run. */
export const rerunName = (run, at) => `${run}.rerun-${at}`;

const originOf = (name) => name.replace(/\.rerun-\d+$/, '');

/** Deletes the outcomes of all runs, or of one with its repetitions. */
export const forgetTally = (run) => {
  if (run === undefined) return rmSync(folder, { recursive: true, force: true });
  for (const name of runNames().filter((each) => originOf(each) === run)) rmSync(fileOf(name), { force: true });
};

const readRun = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

/**
 * The outcome of each suite of all or some runs: `{ run, path, passed, failed, skipped, seconds, failures, first }`.
 * A suite that was repeated has the outcome of the repetition; `first` is that of its first try.
 */
export const outcomes = (runs) => {
  const wanted = runNames().filter((name) => runs === undefined || runs.includes(originOf(name)));
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
