// Suites that failed run once more, alone. What passes then is flaky, and is excused within bounds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { outcomes, rerunName } from '../lib/tally.mjs';

/** More failed suites than these are no matter of the machine. */
const MOST_RERUNS = 5;
/** Flaky suites that a run excuses. */
export const MOST_FLAKY = 5;

/**
 * Suites whose wrong answer is never excused: what is lost or shown once is lost or shown. A condition that came too
 * late in them is repeated like any other.
 */
const NEVER_EXCUSED = [
  /\/isolation/,
  /visib/,
  /\/previews\//,
  /\/operations\/operations\./,
  /secrets-at-rest/,
  /log-scan/,
  /statement/,
  /row-security/,
  /forged/,
  /factors/,
  /guessing/,
  /key-limits/,
  /rbac/,
  /access/,
  /roles/,
  /\/levels/,
  /\/people\/boundaries/,
  /keys/,
  /crash/,
  /kill/,
  /kept-once/,
  /user-deletion/,
  /interference/,
  /pools/,
  /audit|anchors/,
  /password|pepper|rotation/,
];

/** Whether a failed suite may run again. @param suite an outcome of `tally.mjs` */
export const mayRunAgain = ({ path, failures }) =>
  failures.every(({ kind }) => kind === 'late') || !NEVER_EXCUSED.some((pattern) => pattern.test(path));

/**
 * Repeats the failed suites of some runs one after another.
 * @param runs names of the runs
 * @param runAlone `(path, tally, run)` runs one suite by itself; its outcome is read from the tally
 * @returns whether every suite has passed now
 */
export const rerunFailed = async (runs, runAlone, print) => {
  const failed = outcomes(runs).filter((suite) => suite.failed > 0);
  if (failed.length > MOST_RERUNS) print(`${failed.length} suites failed: none of them runs again.`);
  const repeated = failed.length > MOST_RERUNS ? [] : failed.filter(mayRunAgain);
  for (const [at, { run, path }] of repeated.entries()) {
    print(`again, alone: ${path}`);
    await runAlone(path, rerunName(run, at), run);
  }
  return outcomes(runs).every((suite) => suite.failed === 0);
};

/** Outcomes of suites that passed at their second try. */
export const flakyOf = (suites) => suites.filter(({ failed, first }) => failed === 0 && first !== undefined);

/** What is said of a flaky suite; one that `tools/flaky.json` lacks gets the entry that the next change commits. */
export const flakyLines = ({ path, first }, today = new Date().toISOString().slice(0, 10)) => {
  const { title, kind } = first.failures[0];
  const listed = JSON.parse(readFileSync(join(root, 'tools', 'flaky.json'), 'utf8'));
  const entry = JSON.stringify({ suite: path, test: title, kind, since: today, cause: '' });
  return [
    `FLAKY ${path} › ${title} (${kind})`,
    ...(listed.some(({ suite }) => suite === path) ? [] : [`  for tools/flaky.json: ${entry}`]),
  ];
};
