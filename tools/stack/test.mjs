// Runs the suites that need engines: every `jest.stack.config.js` of the workspace, and the tests of the stack itself.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { flakyLines, flakyOf, rerunFailed } from '../gate/rerun.mjs';
import { listSuites, ON_ENGINES, runListed } from '../gate/shards.mjs';
import { projectFolders } from '../lib/projects.mjs';
import { forgetTally, outcomes, tally } from '../lib/tally.mjs';
import { isReachable } from './engines/postgres.mjs';
import { Refused } from './place.mjs';
import { Stack } from './stack.mjs';

const TALLY = join(root, 'tools', 'lib', 'tally-reporter.cjs');
/** Suites that end engines, or change what databases of a server share. They run separately, before the others. */
const ISOLATED = '\\.isolated\\.stack\\.ts$';
/** Engines that suites need; the others would only use memory. */
const NEEDED = ['postgres', 'kafka', 'opensearch', 'redis', 's3'];

const configurations = () =>
  projectFolders(root)
    .map((folder) => join(root, folder, 'jest.stack.config.js'))
    .filter((path) => existsSync(path));

/** Runs a command with its output; returns whether it passed. */
const passes = (command, args, env = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });

/** Documents per step of the suite that kills services and engines. */
const FAULT_DOCUMENTS = '500';
const FAULTS = join('apps', 'e2e', 'stack', 'engines-fail.isolated.stack.ts');

/** Runs Jest over suites of all libraries; returns whether they passed. */
const jest = (name, env, chosen) => {
  // Clients of a killed engine may keep a connection or a timer after the end of the suites.
  const how = ['--forceExit', '--reporters=default', `--reporters=${TALLY}`, '--projects', ...configurations()];
  return passes('npx', ['jest', ...how, ...chosen], { ...env, ACERVO_TALLY: name });
};

/** Runs Jest over suites of all libraries; returns the problem that no failed suite explains, or undefined. */
const judged = async (name, env, chosen) => {
  const listed = await listSuites(['--projects', ...configurations(), ...chosen], env);
  return runListed(name, listed, async () =>
    (await jest(name, env, chosen)) ? undefined : new Error(`Jest failed, though each suite of ${name} passed.`),
  );
};

const suites = async ({ paths, without, faults, short }, stack, print) => {
  const env = {
    ACERVO_STACK: stack.place.state,
    ACERVO_STACK_WITHOUT: without.join(','),
    ...(faults ? { ACERVO_FAULT_DOCUMENTS: FAULT_DOCUMENTS } : {}),
    ...(short ? { ACERVO_STACK_SHORT: 'true' } : {}),
  };
  const [combined, isolated] = ON_ENGINES;
  const named = paths.length === 0 && faults ? [FAULTS] : paths;
  if (named.length > 0) return jest(isolated, env, ['--runInBand', '--runTestsByPath', ...named]);
  const hasPassed = await passes(process.execPath, ['--test', 'tools/stack/stack.test.mjs']);
  const problems = [
    await judged(isolated, env, ['--runInBand', '--testPathPatterns', ISOLATED]),
    await judged(combined, env, [
      short ? '--maxWorkers=1' : '--maxWorkers=2',
      '--testPathPatterns',
      `^(?!.*${ISOLATED})`,
    ]),
  ].filter((problem) => problem !== undefined);
  const again = (path, name) => jest(name, env, ['--runInBand', '--runTestsByPath', path]);
  const havePassed = await rerunFailed(ON_ENGINES, again, print);
  for (const { message } of problems) print(message);
  return havePassed && hasPassed && problems.length === 0;
};

/** A directory in the checkout, or elsewhere if the account of PostgreSQL cannot reach the checkout. */
const directoryOfItsOwn = () => {
  const parent = join(root, '.stack');
  mkdirSync(parent, { recursive: true });
  if (isReachable(parent)) return join(parent, `test-${process.pid}`);
  const directory = mkdtempSync(join(tmpdir(), 'acervo-stack-'));
  chmodSync(directory, 0o711);
  return directory;
};

/** @throws Refused if a suite fails or an engine is unavailable */
export const test = async (options, print) => {
  const began = Date.now();
  const running = options.directory === undefined ? undefined : new Stack(options.directory);
  const stack = running?.runs ? running : new Stack(directoryOfItsOwn());
  const wanted = options.wanted.filter((name) => NEEDED.includes(name));
  ON_ENGINES.forEach(forgetTally);
  try {
    if (stack !== running) await stack.up({ wanted, how: options.how, print: print, tied: true });
    const passed = await suites(options, stack, print);
    if (options.without.length > 0) print(`Left out, as asked: what needs ${options.without.join(', ')}.`);
    if (!passed) throw new Refused('A suite failed.');
  } finally {
    if (stack !== running) await stack.down({ remove: true });
    for (const suite of flakyOf(outcomes(ON_ENGINES))) flakyLines(suite).forEach((line) => print(line));
    print(`${tally(ON_ENGINES)} in ${((Date.now() - began) / 1_000).toFixed(0)} s`);
  }
};
