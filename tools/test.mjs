#!/usr/bin/env node
// Runs every test of the workspace on a fresh clone: installs, builds, then all suites. `--browser` adds those that
// need a browser; `--without-schemathesis` leaves out the one that needs a package from PyPI; other arguments go to nx.
import { forgetTally, tally } from './lib/tally.mjs';
import { build, install, run } from './lib/workspace.mjs';

const withBrowser = process.argv.includes('--browser');
const withoutSchemathesis = process.argv.includes('--without-schemathesis');
const passedOn = process.argv
  .slice(2)
  .filter((argument) => !['--browser', '--without-schemathesis'].includes(argument));

/** Suites start real engines, so two run at a time. The program's own take as long as all others: they run beside them. */
const WHOLE_PROGRAM = '@acervo/standalone-app';

const suites = (parallel, ...chosen) => {
  const nx = ['nx', 'run-many', '-t', 'test', `--parallel=${parallel}`, '--outputStyle=stream', ...chosen];
  const env = withoutSchemathesis ? { ACERVO_WITHOUT_SCHEMATHESIS: '1' } : {};
  return run('npx', nx, { show: true, env });
};

const runSuites = async () => {
  if (passedOn.length > 0) return suites(2, ...passedOn);
  // Everything is built: neither run builds under the other's feet.
  const chosen = [`-p=${WHOLE_PROGRAM}`, `--exclude=${WHOLE_PROGRAM}`];
  const ended = await Promise.allSettled(chosen.map((each) => suites(1, each, '--excludeTaskDependencies')));
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
