// Plants one mistake after another in this checkout, and takes it out again: the step of the gate that is named for it
// must fail, and the same step passes without it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { root } from '../lib/options.mjs';
import { JEST } from '../gate/shards.mjs';
import { goal } from './lib/goals.mjs';
import { MISTAKES } from './planted/mistakes.mjs';

const print = (text) => process.stdout.write(`${text}\n`);

const node = (args, cwd = root) =>
  spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...process.env, NX_DAEMON: 'false' } });

/** The titles of the tests of a suite that fail. @throws if it could not run */
const failedTests = (suite) => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-planted-'));
  const file = join(place, 'outcome.json');
  try {
    const args = ['-c', 'jest.config.js', '--runInBand', '--json', '--outputFile', file, '--runTestsByPath', suite];
    const { stderr } = node([JEST, ...args]);
    const [outcome] = JSON.parse(readFileSync(file, 'utf8')).testResults;
    if (outcome === undefined || outcome.assertionResults.length === 0)
      throw new Error(`${suite} ran no test: ${stderr}`);
    return outcome.assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};

const bin = (...path) => join(root, 'node_modules', ...path);

/** What a step says of a mistake: the first line that names it, or undefined where it passes. */
const STEPS = {
  suite: (suite) => failedTests(suite)[0],
  types: (project) => {
    const { stdout } = node([bin('typescript', 'bin', 'tsc'), '-p', join(project, 'tsconfig.spec.json'), '--noEmit']);
    return stdout.split('\n').find((line) => /error TS\d+/.test(line));
  },
  lint: (project) => {
    const { stdout } = node([bin('eslint', 'bin', 'eslint.js'), 'src', '--max-warnings', '0'], join(root, project));
    return stdout
      .split('\n')
      .find((line) => /\berror\b/.test(line))
      ?.trim();
  },
};

const stepOf = ({ noticed }) => Object.entries(noticed)[0];

const failureBy = (mistake) => {
  const [kind, subject] = stepOf(mistake);
  return STEPS[kind](subject);
};

/** The text of a file with a mistake. @throws if its place is not there once */
const withMistake = (text, { name, file, replaced, replacement }) => {
  if (replaced === '') return text + replacement;
  const parts = text.split(replaced);
  if (parts.length !== 2) throw new Error(`${name}: its place is ${parts.length - 1} times in ${file}.`);
  return parts.join(replacement);
};

/** Runs the step of a mistake with it; the file is as before afterwards, also after Ctrl-C. */
const plant = (mistake) => {
  const path = join(root, mistake.file);
  const text = readFileSync(path, 'utf8');
  const restore = () => writeFileSync(path, text);
  process.once('exit', restore);
  try {
    writeFileSync(path, withMistake(text, mistake));
    return failureBy(mistake);
  } finally {
    restore();
    process.removeListener('exit', restore);
  }
};

/** Returns what noticed each mistake. */
export const run = async () => {
  // A signal ends the process in order, so that a planted mistake is taken out.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const noticed = {};
  for (const mistake of MISTAKES) {
    // Signals come between two steps, which are synchronous.
    await turn();
    const [kind, subject] = stepOf(mistake);
    const before = failureBy(mistake);
    const found = before === undefined ? plant(mistake) : undefined;
    print(`${mistake.name}: ${goal(`${kind} of ${subject} fails`, found !== undefined)}`);
    print(before === undefined ? `  ${found ?? 'nothing failed'}` : `  it fails without the mistake: ${before}`);
    noticed[mistake.name] = found ?? null;
  }
  return noticed;
};
