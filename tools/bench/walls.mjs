// The full isolation and visibility suites: the tests of every run, with larger numbers.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

/** Runs the tests of one file in their long form, and prints their output. */
const full = (config, file, environment = {}) => {
  const jest = join(root, 'node_modules', '.bin', 'jest');
  const { status } = spawnSync(jest, ['-c', join(root, config), '--runInBand', '--verbose', file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ACERVO_BENCH: '1', ...environment },
  });
  process.exitCode = status ?? 1;
};

export const mutants = () => full('apps/e2e/jest.bench.config.js', 'isolation/mutants');
export const timing = () => full('apps/e2e/jest.bench.config.js', 'isolation/timing');
export const visibility = () => full('apps/e2e/jest.config.js', 'visibility.spec');
const EVERY_ENGINE = 'postgres,kafka,opensearch,redis,s3';

/** The same on engines started for the run. */
const fullOnStack = (engines, file, environment = {}) => {
  const args = [join(root, 'tools', 'stack.mjs'), 'test', file, '--only', engines];
  const env = { ...process.env, ACERVO_BENCH: '1', ...environment };
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  process.exitCode = process.exitCode || (status ?? 1);
};

export const interference = ({ lexical = 'postgresql' }) => {
  if (lexical !== 'opensearch') full('libs/retrieval/jest.config.js', 'interference');
  if (lexical !== 'postgresql') fullOnStack('postgres,opensearch', 'libs/retrieval/test/interference.stack.ts');
};
/** Rolls every service to a later version under load, again and again, until so many requests were sent. */
export const roll = ({ requests = '20000' }) =>
  fullOnStack(EVERY_ENGINE, 'apps/e2e/stack/rolling.isolated.stack.ts', {
    ACERVO_ROLL_REQUESTS: requests,
  });
/** Replaces all passwords of the database and the key pepper under load, step by step. */
export const rotate = () => fullOnStack(EVERY_ENGINE, 'apps/e2e/stack/key-rotation.isolated.stack.ts');
export const recall = () => full('libs/retrieval/jest.config.js', 'recall');
/** The laws of sets of documents, in so many random worlds. */
export const spaceLaws = ({ worlds }) =>
  full('libs/retrieval/jest.config.js', 'space-laws', { ACERVO_SPACE_WORLDS: worlds });
export const pools = () =>
  full('libs/platform/database/jest.config.js', 'pools', { ACERVO_BENCH_OPERATIONS: '100000' });
