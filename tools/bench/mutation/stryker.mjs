// Installs Stryker, once, with the exact versions of package-lock.json, and runs it on one project.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../lib/options.mjs';
import { run } from '../../lib/workspace.mjs';
import { once } from '../../stack/download.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const MANIFESTS = ['package.json', 'package-lock.json'];
const ADVICE = 'See that npm reaches its registry.';

/** The folder of an installation. */
export const installedStryker = async (print) => {
  const hash = createHash('sha256');
  for (const name of MANIFESTS) hash.update(readFileSync(join(here, name)));
  try {
    return await once(`stryker-${hash.digest('hex').slice(0, 12)}`, print, async (directory) => {
      for (const name of MANIFESTS) copyFileSync(join(here, name), join(directory, name));
      await run('npm', [
        'ci',
        '--prefix',
        directory,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ]);
    });
  } catch (error) {
    throw new Error(`Stryker could not be installed: ${error.message}\n${ADVICE}`, { cause: error });
  }
};

/** Projects and folders that a project is mutated without; its copy finds other libraries through node_modules. */
const besides = (project) => {
  const isLeftOut = (path) => path !== project && !project.startsWith(`${path}/`);
  const below = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const folders = ['apps', 'docs', 'docker', 'samples', ...below('libs'), ...below('libs/platform')];
  return [...folders.filter(isLeftOut).map((path) => `/${path}`), '**/dist', '.nx', '.ci', '.stack'];
};

const settingsOf = ({ project, mutated, suites }, { report, place, installed }) => {
  const preset = require(join(root, 'jest.preset.js'));
  const { reporters: _reporters, ...jest } = preset;
  return {
    plugins: [join(installed, 'node_modules', '@stryker-mutator', 'jest-runner', 'dist', 'src', 'index.js')],
    testRunner: 'jest',
    jest: {
      projectType: 'custom',
      configFile: `${project}/jest.config.js`,
      enableFindRelatedTests: false,
      config: {
        ...jest,
        testEnvironment: join(here, 'environment.cjs'),
        testMatch: suites.map((path) => `<rootDir>/${path}`),
        testTimeout: 60_000,
      },
    },
    coverageAnalysis: 'perTest',
    mutate: [...mutated.map((path) => `${project}/${path}`), '!**/*.spec.ts'],
    ignorePatterns: besides(project),
    checkers: [],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    concurrency: 1,
    timeoutMS: 30_000,
    tempDirName: place,
    allowEmpty: true,
    disableTypeChecks: false,
  };
};

/** The report of Stryker on one project. */
export const mutate = async (target, { installed, show }) => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-mutation-'));
  try {
    const [settings, report] = [join(place, 'settings.json'), join(place, 'report.json')];
    writeFileSync(settings, JSON.stringify(settingsOf(target, { report, place: join(place, 'copies'), installed })));
    const stryker = join(installed, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
    await run(process.execPath, [stryker, 'run', settings], { show });
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};
