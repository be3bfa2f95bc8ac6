// Changes the code of rights, visibility and the executor in many small ways: the suites must notice each one.
import { execFileSync } from 'node:child_process';
import { root, UsageError } from '../lib/options.mjs';
import { EQUIVALENT } from './mutation/equivalent.mjs';
import { PARTS } from './mutation/parts.mjs';
import { mutantsOf, scoreOf } from './mutation/score.mjs';
import { installedStryker, mutate } from './mutation/stryker.mjs';
import { goal } from './lib/goals.mjs';

const LEAST = 90;
const print = (text) => process.stdout.write(`${text}\n`);

const partsOf = (only) => {
  const names = only?.split(',') ?? Object.keys(PARTS);
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new UsageError(`--only knows ${Object.keys(PARTS).join(', ')}, not ${unknown.join(', ')}.`);
  return names;
};

/** Files of the workspace that differ from a revision. */
const changedSince = (revision) =>
  new Set(execFileSync('git', ['diff', '--name-only', revision], { cwd: root, encoding: 'utf8' }).split('\n'));

/** The targets of a part; with a revision, only files that changed since then are mutated. */
const targetsOf = (name, since) => {
  if (since === undefined) return PARTS[name];
  const changed = changedSince(since);
  return PARTS[name]
    .map((target) => ({
      ...target,
      mutated: target.mutated.filter((path) => changed.has(`${target.project}/${path}`)),
    }))
    .filter(({ mutated }) => mutated.length > 0);
};

const show = (name, { score, counted, equivalent, files, survivors, stale }) => {
  print(
    `\n${name}: ${score.toFixed(1)} % of ${counted} mutants noticed ${goal(`${LEAST} % at least`, score >= LEAST)}`,
  );
  if (equivalent > 0) print(`  ${equivalent} more behave like the code (tools/bench/mutation/equivalent.mjs)`);
  for (const { file, score: ofFile, mutants } of files)
    print(`  ${ofFile.toFixed(1).padStart(5)} %  ${file} (${mutants})`);
  for (const { file, line, kind, replaced, replacement } of survivors)
    print(`  survived: ${file}:${line} ${kind}: ${JSON.stringify(replaced)} -> ${JSON.stringify(replacement)}`);
  for (const { file, replaced, replacement } of stale) {
    print(`  no survivor any longer: ${file}: ${JSON.stringify(replaced)} -> ${JSON.stringify(replacement)}`);
    process.exitCode = 1;
  }
};

/** Returns the scores by part. The exit code reports whether each part reaches the goal. */
export const run = async ({ only, since }) => {
  const names = partsOf(only);
  const installed = await installedStryker(print);
  const scores = {};
  for (const name of names) {
    const mutants = [];
    for (const target of targetsOf(name, since)) {
      const ofProject = mutantsOf(await mutate(target, { installed, show: true }), target.project);
      // A later project may take long, or fail: what is known is printed at once.
      print(`${name} in ${target.project}: ${scoreOf(ofProject, EQUIVALENT).score.toFixed(1)} %`);
      mutants.push(...ofProject);
    }
    const found = scoreOf(mutants, EQUIVALENT);
    show(name, found);
    scores[name] = found.score;
  }
  return scores;
};
