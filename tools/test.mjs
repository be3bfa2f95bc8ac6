#!/usr/bin/env node
// Runs every test of the workspace on a fresh clone: installs, builds, then all suites. `--browser` adds those that
// need a browser; `--without-schemathesis` leaves out the one that needs a package from PyPI; other arguments go to nx.
import { forgetTally, tally } from './lib/tally.mjs';
import { build, install, run, shortLived } from './lib/workspace.mjs';

const withBrowser = process.argv.includes('--browser');
const withoutSchemathesis = process.argv.includes('--without-schemathesis');
const passedOn = process.argv
  .slice(2)
  .filter((argument) => !['--browser', '--without-schemathesis'].includes(argument));

/** Its suites are a lane of their own: they take longer than those of all libraries. */
const WHOLE_PROGRAM = '@acervo/standalone-app';

/** Runs suites by nx. */
const suites = (chosen, env = {}) =>
  run('npx', ['nx', 'run-many', '-t', 'test', '--outputStyle=stream', ...chosen], {
    show: true,
    env: {
      ...shortLived(),
      ...(withoutSchemathesis ? { ACERVO_WITHOUT_SCHEMATHESIS: '1' } : {}),
      ...env,
    },
  });

// Everything is built: neither lane builds under the other's feet.
const lane = ['--parallel=1', '--excludeTaskDependencies'];

/** Suites start real engines and wait for them for a third of their time: three run at a time, two of the program. */
const runSuites = async () => {
  if (passedOn.length > 0) return suites(['--parallel=2', ...passedOn]);
  const ended = await Promise.allSettled([
    suites([...lane, `--exclude=${WHOLE_PROGRAM}`], { ACERVO_TESTS_TOGETHER: '1' }),
    suites([...lane, `-p=${WHOLE_PROGRAM}`]),
  ]);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

try {
  await install();
  await build();
  forgetTally();
  await run(process.execPath, ['--test', 'tools/bench/speed/speed.test.mjs', 'tools/lib/compose.test.mjs']);
  await runSuites();
  if (withBrowser)
    await run('npx', ['jest', '-c', 'apps/standalone/jest.browser.config.js', '--maxWorkers=1'], { show: true });
  else process.stdout.write('The tests of the search page in a browser were left out; --browser runs them.\n');
  process.stdout.write('The tests on real engines are no part of these; "npm run stack -- test" runs them.\n');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  process.stdout.write(`${tally()}\n`);
}
