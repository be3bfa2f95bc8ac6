// Runs the suites that need engines: every `jest.stack.config.js` of the workspace, and the tests of the stack itself.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { forgetTally, tally } from '../lib/tally.mjs';
import { shortLived } from '../lib/workspace.mjs';
import { isReachable } from './engines/postgres.mjs';
import { Refused } from './place.mjs';
import { Stack } from './stack.mjs';

const TALLY = join(root, 'tools', 'lib', 'tally-reporter.cjs');
/** Under which the counts of these suites are kept beside those of the others. */
const NAMES = ['stack', 'stack-alone'];
/** Suites that end engines, or change what the databases of a server share, run by themselves, before the others. */
const ALONE = '\\.alone\\.stack\\.ts$';
/** What suites need; the others would only take memory. */
const NEEDED = ['postgres', 'kafka', 'opensearch', 'redis', 's3'];

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

/** Documents that arrive at each step of the suite that ends services and engines. */
const FAULT_DOCUMENTS = '500';
const FAULTS = join('apps', 'standalone', 'test', 'engines-fail.alone.stack.ts');

/** Runs Jest over the suites of all libraries; answers whether they passed. */
const jest = (name, env, chosen) => {
  // Clients whose engine was ended under them may keep a connection or a timer; the suites are over by then.
  const how = ['--forceExit', '--reporters=default', `--reporters=${TALLY}`, '--projects', ...configurations()];
  return passes('npx', ['jest', ...how, ...chosen], { ...env, ACERVO_TALLY: name });
};

const suites = async ({ paths, without, faults, short }, stack) => {
  const env = {
    ...shortLived(),
    ACERVO_STACK: stack.place.state,
    ACERVO_STACK_WITHOUT: without.join(','),
    ...(faults ? { ACERVO_FAULT_DOCUMENTS: FAULT_DOCUMENTS } : {}),
    ...(short ? { ACERVO_STACK_SHORT: 'true' } : {}),
  };
  const [together, alone] = NAMES;
  const named = paths.length === 0 && faults ? [FAULTS] : paths;
  if (named.length > 0) return jest(alone, env, ['--runInBand', '--runTestsByPath', ...named]);
  const passed = [
    await passes(process.execPath, ['--test', 'tools/stack/stack.test.mjs']),
    await jest(alone, env, ['--runInBand', '--testPathPatterns', ALONE]),
    await jest(together, env, ['--maxWorkers=2', '--testPathPatterns', `^(?!.*${ALONE})`]),
  ];
  return passed.every(Boolean);
};

/** In the checkout, or where the account of PostgreSQL may go as well. */
const directoryOfItsOwn = () => {
  const parent = join(root, '.stack');
  mkdirSync(parent, { recursive: true });
  if (isReachable(parent)) return join(parent, `test-${process.pid}`);
  const directory = mkdtempSync(join(tmpdir(), 'acervo-stack-'));
  chmodSync(directory, 0o711);
  return directory;
};

/** @throws Refused when a suite fails or an engine cannot be had */
export const test = async (options, print) => {
  const began = Date.now();
  const running = options.directory === undefined ? undefined : new Stack(options.directory);
  const stack = running?.runs ? running : new Stack(directoryOfItsOwn());
  const wanted = options.wanted.filter((name) => NEEDED.includes(name));
  NAMES.forEach(forgetTally);
  try {
    if (stack !== running) await stack.up({ wanted, how: options.how, say: print, tied: true });
    const passed = await suites(options, stack);
    if (options.without.length > 0) print(`Left out, as asked: what needs ${options.without.join(', ')}.`);
    if (!passed) throw new Refused('A suite failed.');
  } finally {
    if (stack !== running) await stack.down({ remove: true });
    print(`${tally(NAMES)} in ${((Date.now() - began) / 1_000).toFixed(0)} s`);
  }
};
