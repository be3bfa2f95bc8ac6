// Everything that the gate leaves out, one part after another: benches in suites, downloads, engines in their long form,
// speed, mutation, a newer Node, an API server. The last run is recorded in docs/nightly.md; a release needs one without a failure.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { forgetTally, tally } from '../lib/tally.mjs';
import { run } from '../lib/workspace.mjs';
import { JEST } from './shards.mjs';

const PAGE = join(root, 'docs', 'nightly.md');
const [BEGIN, END] = ['<!-- last run -->', '<!-- end of last run -->'];

/** Names and commands of the parts. */
const PARTS = [
  ['suites', [JEST, '-c', 'jest.config.js', '--maxWorkers=1']],
  ['browser', [JEST, '-c', 'apps/e2e/jest.browser.config.js', '--maxWorkers=1']],
  ['engines', ['tools/stack.mjs', 'test']],
  ['promises', ['tools/bench.mjs', 'promises']],
  ['planted', ['tools/bench.mjs', 'planted']],
  ['mutation', ['tools/bench.mjs', 'mutation']],
  ['node22', ['tools/gate/newer-node.mjs']],
  ['admission', ['tools/deploy.mjs', '--admission']],
];

const runPart = async ([name, args]) => {
  const began = Date.now();
  forgetTally();
  const failure = await run(process.execPath, args, { show: true, env: { ACERVO_TALLY: name } }).then(
    () => undefined,
    (error) => error,
  );
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  return { name, passed: failure === undefined, counts: tally(), minutes };
};

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();

const tableOf = (parts, commit, date) => [
  BEGIN,
  '',
  `Commit ${commit}, ${date}.`,
  '',
  '| Part | Outcome | Counts | Minutes |',
  '| --- | --- | --- | --- |',
  ...parts.map(
    ({ name, passed, counts, minutes }) => `| ${name} | ${passed ? 'passed' : 'failed'} | ${counts} | ${minutes} |`,
  ),
  '',
  END,
];

const record = async (parts) => {
  const text = readFileSync(PAGE, 'utf8');
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END) + END.length];
  const table = tableOf(parts, git('rev-parse', '--short', 'HEAD'), new Date().toISOString().slice(0, 10));
  writeFileSync(PAGE, `${text.slice(0, before)}${table.join('\n')}${text.slice(after)}`);
  await run(process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--write', PAGE]);
};

/** Runs all parts with a random seed of generated cases, also after one has failed, and records them. @throws with the names of the parts that failed */
export const nightly = async (print) => {
  const parts = [];
  const seed = randomInt(2 ** 31);
  process.env.ACERVO_SEED = String(seed);
  print(`Cases are generated with ACERVO_SEED=${seed}.`);
  for (const part of PARTS) {
    parts.push(await runPart(part));
    const { name, passed, minutes } = parts.at(-1);
    print(`${name}: ${passed ? 'passed' : 'failed'} in ${minutes} min`);
  }
  await record(parts);
  const failed = parts.filter(({ passed }) => !passed).map(({ name }) => name);
  if (failed.length > 0)
    throw new Error(`The nightly run failed: ${failed.join(', ')}. docs/nightly.md has its figures.`);
};

/** What keeps a release back: no recorded run, a failed part, or a run of another line of commits. */
export const nightlyProblems = () => {
  const [, recorded] = readFileSync(PAGE, 'utf8').split(BEGIN);
  const [table = ''] = (recorded ?? '').split(END);
  const commit = /Commit ([0-9a-f]+)/.exec(table)?.[1];
  if (commit === undefined) return ['docs/nightly.md records no run: npm test -- --nightly.'];
  const isAncestor = spawnSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], { cwd: root }).status === 0;
  return [
    ...(isAncestor ? [] : [`docs/nightly.md records ${commit}, which this commit does not follow.`]),
    ...[...table.matchAll(/^\| (\w+) +\| failed/gm)].map(([, name]) => `The nightly run of ${commit} failed: ${name}.`),
  ];
};
