#!/usr/bin/env node
// Runs the tests of the workspace on a fresh clone: installs, builds, then every suite. `--all` adds the slow suites,
// `--browser` those that need a browser; `--without-schemathesis` leaves out the one that needs a package from PyPI.
// Other arguments go to Jest, e.g. the path of a suite.
import { availableParallelism } from 'node:os';
import { forgetTally, tally } from './lib/tally.mjs';
import { build, install, run } from './lib/workspace.mjs';

const OPTIONS = ['--all', '--browser', '--without-schemathesis'];
const isAsked = (option) => process.argv.includes(option);
const passedOn = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));

/** Suites wait for engines a third of their time, so that three suites keep two processors busy. */
const WORKERS = Math.ceil(availableParallelism() * 1.5);
const SLOW = '\\.slow\\.spec\\.ts$';

const jest = (config, args, env = {}) =>
  run(process.execPath, ['node_modules/jest/bin/jest.js', '-c', config, ...args], { show: true, env });

/** Tests of the tools themselves. */
const TOOLS = [
  'tools/bench/speed/speed.test.mjs',
  'tools/bench/mutation/score.test.mjs',
  'tools/bench/soak/trend.test.mjs',
  'tools/lib/compose.test.mjs',
  'tools/lib/options.test.mjs',
  'tools/checks/task-table.test.mjs',
  'tools/checks/caller-state.test.mjs',
  'tools/checks/vocabulary.test.mjs',
  'tools/checks/project-graph.test.mjs',
  'tools/checks/regular-expressions.test.mjs',
  'tools/checks/script-imports.test.mjs',
  'tools/checks/released.test.mjs',
];

const suites = () =>
  jest(
    'jest.config.js',
    [
      ...passedOn,
      `--maxWorkers=${WORKERS}`,
      ...(isAsked('--all') ? [] : ['--testPathIgnorePatterns', '/node_modules/', SLOW]),
    ],
    { ACERVO_TALLY: 'suites', ...(isAsked('--without-schemathesis') ? { ACERVO_WITHOUT_SCHEMATHESIS: '1' } : {}) },
  );

const print = (line) => process.stdout.write(`${line}\n`);

try {
  await install();
  await build();
  forgetTally();
  await run(process.execPath, ['--test', ...TOOLS]);
  await suites();
  if (isAsked('--browser')) await jest('apps/e2e/jest.browser.config.js', ['--maxWorkers=1']);
  else print('Left out: the tests of the pages in a browser; npm test -- --browser runs them.');
  if (!isAsked('--all')) print('Left out: the slow suites (*.slow.spec.ts); npm test -- --all runs them.');
  print('Left out: the tests on real engines; npm run stack -- test runs them.');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  print(tally());
}
