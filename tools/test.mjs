#!/usr/bin/env node
// Runs every test of the workspace on a fresh clone: installs, builds, then all suites. Arguments go to nx.
import { forgetTally, tally } from './lib/tally.mjs';
import { build, install, run } from './lib/workspace.mjs';

try {
  await install();
  await build();
  forgetTally();
  // Suites start real engines, so they run one after the other on small machines: timings stay honest.
  const nx = ['nx', 'run-many', '-t', 'test', '--parallel=2', '--outputStyle=stream', ...process.argv.slice(2)];
  await run('npx', nx, { show: true });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  process.stdout.write(`${tally()}\n`);
}
