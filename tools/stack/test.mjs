// Runs the suites that need engines: every `jest.stack.config.js` of the workspace, and the tests of the stack itself.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { forgetTally, tally } from '../lib/tally.mjs';
import { Refused } from './place.mjs';
import { Stack } from './stack.mjs';

const TALLY = join(root, 'tools', 'lib', 'tally-reporter.cjs');

const configurations = () =>
  ['apps', 'libs', 'libs/platform']
    .flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'jest.stack.config.js')),
    )
    .filter(existsSync);

/** Runs a command that shows what it prints; answers whether it passed. */
const passes = (command, args, env = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });

/** Documents that arrive at each of the sixteen moments of the suite that ends services and engines. */
const FAULT_DOCUMENTS = '40';

const suites = async ({ paths, without, faults }, stack) => {
  const env = {
    ACERVO_STACK: stack.place.state,
    ACERVO_STACK_WITHOUT: without.join(','),
    ...(faults ? { ACERVO_FAULT_DOCUMENTS: FAULT_DOCUMENTS } : {}),
  };
  const own = paths.length > 0 || (await passes(process.execPath, ['--test', 'tools/stack/stack.test.mjs']));
  const found = configurations();
  if (found.length === 0) return own;
  const jest = ['jest', '--runInBand', '--reporters=default', `--reporters=${TALLY}`, '--projects', ...found];
  const named = paths.length === 0 ? [] : ['--runTestsByPath', ...paths];
  return (await passes('npx', [...jest, ...named], env)) && own;
};

/** @throws Refused when a suite fails or an engine cannot be had */
export const test = async (options, print) => {
  const began = Date.now();
  const running = options.directory === undefined ? undefined : new Stack(options.directory);
  const stack = running?.runs ? running : new Stack(join(root, '.stack', `test-${process.pid}`));
  forgetTally();
  try {
    if (stack !== running) await stack.up({ wanted: options.wanted, how: options.how, say: print, tied: true });
    const passed = await suites(options, stack);
    if (options.without.length > 0) print(`Left out, as asked: what needs ${options.without.join(', ')}.`);
    if (!passed) throw new Refused('A suite failed.');
  } finally {
    if (stack !== running) await stack.down({ remove: true });
    print(`${tally()} in ${((Date.now() - began) / 1_000).toFixed(0)} s`);
  }
};
