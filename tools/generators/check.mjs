// Runs every generator in a temporary copy of the workspace, then type-checks and lints the result. The generated tests
// must run and fail, and the suites of the pipeline must pass with a step that they do not know. The check of services
// must ask for the row of the generated service; with the row, the service starts. A generator whose output does not
// build is worse than no generator.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceProblems, workspaceAt } from '../checks/services.mjs';
import { root } from '../lib/options.mjs';

/** What is generated, and the most files that may be touched. */
const GENERATED = [
  { most: 5, args: ['operation', 'spaces.annotate', '--kind=write'] },
  { most: 5, args: ['operation', 'spaces.discard', '--kind=write_confirm'] },
  { most: 5, args: ['operation', 'locations.label', '--kind=read'] },
  { most: 7, args: ['feature', 'drawers'] },
  { most: 5, args: ['operation', 'drawers.arrange', '--kind=read'] },
  { most: 4, args: ['route', 'shelves', '--call=arrangeDrawers'] },
  {
    most: 3,
    args: ['event', 'document.refreshed', '--producer=ingestion', '--subscriber=retrieval', '--feature=projection'],
  },
  { most: 3, args: ['step', 'measure', '--after=classify'] },
  { most: 3, args: ['stage', 'weigh', '--service=retrieval', '--feature=spaces'] },
  { most: 2, args: ['feature', 'shelves', '--service=auth'] },
  { most: 26, args: ['service', 'ledger', '--table=entry'] },
];
/** The row that a person writes for the generated domain. */
const DOMAIN = "  drawers: at('ingestion', 'drawers/drawers', 'drawers/drawers', 'drawers/drawer'),\n";
const DOMAINS = join('tools', 'generators', 'src', 'domains.cjs');
const FIRST_DOMAIN = 'const PLACES = {\n';
/** The row that a person writes for the generated service, before the service that calls all others. */
const ROW = "  { name: 'ledger', application: 'ledger-service', prefixes: [] },\n";
const TABLE = join('libs', 'contracts', 'src', 'services.ts');
const CALLER = "  {\n    name: 'gateway',";

const LIBRARIES = ['contracts', 'retrieval', 'gateway', 'ingestion', 'operations', 'auth', 'ledger'];
/** What is built: the generated code with its tests, and every program. */
const BUILT = [
  ...LIBRARIES.map((name) => `libs/${name}/tsconfig.spec.json`),
  'apps/ledger-service/tsconfig.spec.json',
  'apps/standalone',
  'apps/migrate',
];
const LINTED = [...LIBRARIES.map((name) => `@acervo/${name}`), '@acervo/ledger-service-app'];

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
const STARTING = ['apps/ledger-service/test/start.spec.ts'];

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

const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|\.nx)(?:\/|$)/;

/** The files of a workspace, each with the moment of its last change. */
const filesOf = (target, folder = '') =>
  readdirSync(join(target, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (LEFT_OUT.test(path)) return [];
    return entry.isDirectory() ? filesOf(target, path) : [[path, statSync(join(target, path)).mtimeMs]];
  });

const writeDomain = (target) => {
  const text = readFileSync(join(target, DOMAINS), 'utf8');
  writeFileSync(join(target, DOMAINS), text.replace(FIRST_DOMAIN, `${FIRST_DOMAIN}${DOMAIN}`));
};

const generate = (target, { most, args: [generator, ...args] }) => {
  const what = [generator, ...args].join(' ');
  const before = new Map(filesOf(target));
  const result = run(target, 'npx', ['nx', 'g', `@acervo/tools:${generator}`, ...args]);
  expectSuccess(what, result);
  const touched = filesOf(target).filter(([path, changed]) => before.get(path) !== changed);
  if (touched.length > 0 && touched.length <= most) return;
  const names = touched.map(([path]) => path).join('\n');
  const printed = `${result.stdout}\n${result.stderr}`;
  throw new Error(`${what} touches ${touched.length} files, and may touch ${most}:\n${names}\nIt printed:\n${printed}`);
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

/** Links the packages of the generated service, as an installation does. */
const linkGenerated = (target) => {
  for (const [name, folder] of [
    ['ledger', 'libs/ledger'],
    ['ledger-service-app', 'apps/ledger-service'],
  ])
    symlinkSync(join('..', '..', folder), join(target, 'node_modules', '@acervo', name));
};

/** Writes the row of the generated service, which the check of services asks for before, and not after. */
const addRow = (target) => {
  const [problem = ''] = serviceProblems(workspaceAt(target, root));
  if (!problem.includes(`has no row of ledger; add ${ROW.trim().slice(0, -1)}`))
    throw new Error(`The check of services does not ask for the row of a generated service: ${problem}`);
  const text = readFileSync(join(target, TABLE), 'utf8');
  writeFileSync(join(target, TABLE), text.replace(CALLER, `${ROW}${CALLER}`));
  const problems = serviceProblems(workspaceAt(target));
  if (problems.length > 0) throw new Error(`The generated service is incomplete:\n${problems.join('\n')}`);
};

const copy = mkdtempSync(join(tmpdir(), 'acervo-generators-'));
try {
  copyOf(copy);
  writeDomain(copy);
  for (const example of GENERATED) generate(copy, example);
  linkGenerated(copy);
  addRow(copy);
  expectSuccess('building', run(copy, 'npx', ['tsc', '-b', ...BUILT]));
  expectSuccess('linting', run(copy, 'npx', ['nx', 'run-many', '-t', 'lint', '-p', LINTED.join(',')]));
  expectAll(testsOf(copy, WAITING), 'failed');
  expectAll(testsOf(copy, [...PIPELINE, ...STARTING]), 'passed');
  process.stdout.write(`${GENERATED.length} generated examples build, pass lint and wait for their tests.\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
