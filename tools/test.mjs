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

try {
  await install();
  await build();
  forgetTally();
  await run(process.execPath, ['--test', 'tools/bench/speed/speed.test.mjs']);
  // Suites start real engines, so they run one after the other on small machines: timings stay honest.
  const nx = ['nx', 'run-many', '-t', 'test', '--parallel=2', '--outputStyle=stream', ...passedOn];
  await run('npx', nx, { show: true, env: withoutSchemathesis ? { ACERVO_WITHOUT_SCHEMATHESIS: '1' } : {} });
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
