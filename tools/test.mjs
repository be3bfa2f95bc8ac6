#!/usr/bin/env node
// Runs the tests of the workspace on a fresh clone: installs, builds, then every suite but the slow ones. `--all` adds
// the slow suites, `--browser` those that need a browser; `--nightly` runs everything, the benches and engines included.
// Other arguments go to Jest, e.g. the path of a suite.
import { aloneArguments, JEST, leftOutBeside, NIGHTLY, runShards, SHARDS, SLOW, without } from './gate/shards.mjs';
import { machineFactor } from './gate/machine.mjs';
import { flakyLines, flakyOf, rerunFailed } from './gate/rerun.mjs';
import { failureLines } from './gate/failures.mjs';
import { TOOL_TESTS } from './gate/tool-tests.mjs';
import { forgetTally, outcomes, tally } from './lib/tally.mjs';
import { build, install, run } from './lib/workspace.mjs';

const OPTIONS = ['--all', '--browser', '--nightly'];
const isAsked = (option) => process.argv.includes(option);
const passedOn = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));

const print = (line) => process.stdout.write(`${line}\n`);
const node = (args, env = {}) => run(process.execPath, args, { show: true, env });

/** How a run of Jest failed, or undefined. */
const failureOf = (work) =>
  work.then(
    () => undefined,
    (error) => error,
  );

const leftOut = isAsked('--all') ? [NIGHTLY] : [NIGHTLY, SLOW];

/** The suites whose path is given. A folder runs without what is left out; a suite by its name always runs. */
const namedSuites = () => {
  const chosen = [...passedOn, ...without(leftOutBeside(leftOut, passedOn))];
  return node([JEST, '-c', 'jest.config.js', ...chosen, '--maxWorkers=2'], { ACERVO_TALLY: 'suites' });
};

/** @throws the end of Jest that no suite explains */
const allSuites = async () => {
  const [unexplained] = await runShards(leftOut, (_name, args, env) => failureOf(node(args, env)));
  if (unexplained !== undefined) throw new Error([unexplained.message, ...unexplained.tail].join('\n'));
  const again = (path, name) => failureOf(node(aloneArguments(path), { ACERVO_TALLY: name }));
  if (!(await rerunFailed(SHARDS, again, print))) throw new Error('A suite failed.');
};

const everyTest = async () => {
  await node(['--test', ...TOOL_TESTS]);
  await (passedOn.length > 0 ? namedSuites() : allSuites());
  if (isAsked('--browser'))
    await node([JEST, '-c', 'apps/e2e/jest.browser.config.js', '--maxWorkers=1'], { ACERVO_TALLY: 'browser' });
  else print('Left out: the tests of the pages in a browser; npm test -- --browser runs them.');
  if (!isAsked('--all')) print('Left out: the slow suites (*.slow.spec.ts); npm test -- --all runs them.');
  print('Left out: the nightly suites and benches; npm test -- --nightly runs them.');
  print('Left out: the tests on real engines; npm run stack -- test runs them.');
};

// A failed build prints no outcome of an earlier run.
forgetTally();
try {
  await install();
  await build();
  process.env.ACERVO_PATIENCE ??= String(machineFactor());
  if (isAsked('--nightly')) await (await import('./gate/nightly.mjs')).nightly(print);
  else await everyTest();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  const suites = outcomes();
  for (const suite of suites.filter(({ failed }) => failed > 0)) failureLines(suite).forEach(print);
  for (const suite of flakyOf(suites)) flakyLines(suite).forEach(print);
  print(tally());
}
