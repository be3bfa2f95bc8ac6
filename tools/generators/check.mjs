// Runs every generator in a temporary copy of the workspace, then type-checks and lints the result. The generated tests
// must run and fail, and the suites of the pipeline must pass with a step that they do not know. A generator whose output
// does not build is worse than no generator.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

/** What is generated, and the most files that may be touched. */
const GENERATED = [
  { most: 5, args: ['operation', 'spaces.reapply_skill'] },
  { most: 5, args: ['operation', 'spaces.discard', '--kind=write_confirm'] },
  { most: 5, args: ['operation', 'locations.get_acquisition_skill'] },
  { most: 7, args: ['feature', 'processes'] },
  { most: 5, args: ['operation', 'processes.list'] },
  { most: 4, args: ['route', 'processes', '--call=listProcesses'] },
  {
    most: 3,
    args: ['event', 'document.refreshed', '--producer=ingestion', '--subscriber=retrieval', '--feature=projection'],
  },
  { most: 3, args: ['step', 'measure', '--after=classify'] },
  { most: 3, args: ['stage', 'weigh', '--service=retrieval', '--feature=spaces'] },
  { most: 2, args: ['feature', 'shelves', '--service=auth'] },
];
const CHANGED = ['contracts', 'retrieval', 'gateway', 'ingestion', 'operations', 'auth'];

const WAITING = [
  'libs/retrieval/src/spaces/space-changes.handlers.spec.ts',
  'libs/retrieval/src/spaces/weigh.stage.spec.ts',
  'libs/retrieval/src/projection/projection.consumer.spec.ts',
  'libs/ingestion/src/pipeline/steps/measure.step.spec.ts',
];
const PIPELINE = [
  'libs/ingestion/src/pipeline/pipeline-order.spec.ts',
  'libs/ingestion/src/pipeline/fused-steps.spec.ts',
];

const run = (cwd, command, args) =>
  spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false', NX_SKIP_NX_CACHE: 'true' },
  });

const expectSuccess = (what, { status, stdout, stderr }) => {
  if (status !== 0) throw new Error(`${what} failed:\n${stdout}\n${stderr}`);
};

/** Links the installed packages; those of the workspace link to the copies. */
const linkPackages = (target) => {
  const [from, to] = [join(root, 'node_modules'), join(target, 'node_modules')];
  mkdirSync(join(to, '@acervo'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@acervo') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@acervo')))
    symlinkSync(readlinkSync(join(from, '@acervo', name)), join(to, '@acervo', name));
};

/** The files under version control, and new untracked ones. */
const copyOf = (target) => {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of stdout.split('\n').filter((name) => name !== ''))
    cpSync(join(root, file), join(target, file), { recursive: true });
  linkPackages(target);
};

/** The files that a generator writes or changes, as Nx prints them. */
const touchedBy = (stdout) => stdout.split('\n').filter((line) => /^(CREATE|UPDATE) /.test(line));

const generate = (target, { most, args: [generator, ...args] }) => {
  const what = [generator, ...args].join(' ');
  const result = run(target, 'npx', ['nx', 'g', `@acervo/tools:${generator}`, ...args]);
  expectSuccess(what, result);
  const touched = touchedBy(result.stdout);
  if (touched.length === 0 || touched.length > most)
    throw new Error(`${what} touches ${touched.length} files, and may touch ${most}:\n${touched.join('\n')}`);
};

/** The tests of some suites, with their status. @throws where a suite does not run */
const testsOf = (target, suites) => {
  // Its failures are wanted: they do not belong to the counts of the run.
  const args = ['jest', '-c', 'jest.config.js', '--maxWorkers=1', '--reporters=default', '--json', '--runTestsByPath'];
  const { stdout, stderr } = run(target, 'npx', [...args, ...suites]);
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{"num')));
  const broken = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
  if (testResults.length < suites.length || broken.length > 0) throw new Error(`A suite does not run:\n${stderr}`);
  return testResults.flatMap(({ assertionResults }) => assertionResults);
};

const expectAll = (tests, expected) => {
  const others = tests.filter(({ status }) => status !== expected);
  if (others.length > 0)
    throw new Error(
      `Not ${expected}:\n${others.map((each) => [each.title, ...each.failureMessages].join('\n')).join('\n')}`,
    );
};

const copy = mkdtempSync(join(tmpdir(), 'acervo-generators-'));
try {
  copyOf(copy);
  for (const example of GENERATED) generate(copy, example);
  for (const library of CHANGED) {
    expectSuccess(`building ${library}`, run(copy, 'npx', ['tsc', '-b', join('libs', library, 'tsconfig.spec.json')]));
    expectSuccess(`linting ${library}`, run(copy, 'npx', ['nx', 'run', `@acervo/${library}:lint`]));
  }
  expectAll(testsOf(copy, WAITING), 'failed');
  expectAll(testsOf(copy, PIPELINE), 'passed');
  process.stdout.write(`${GENERATED.length} generated examples build, pass lint and wait for their tests.\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
