// Which suites a change reaches. The others have passed on the commit that it starts from, and nothing that they prove
// has changed since.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../lib/options.mjs';
import { projectFolders } from '../lib/projects.mjs';
import { run } from '../lib/workspace.mjs';
import { JEST } from './shards.mjs';

const NX = join('node_modules', 'nx', 'dist', 'bin', 'nx.js');

/**
 * Pages, charts, images, and tools that judge, measure and package. Suites use them where they name them; the checks and the
 * tests of the tools, which always run, judge them.
 */
const PAGES = /^(docs|deploy|docker)\/|^[A-Z]+\.md$/;
const TOOLS =
  /^tools\/((bench|checks|deploy|gate)[/.]|(gate-trial|images|release)\.mjs$|flaky\.json$|jest\/times\.json$)/;
const isNamed = (path) => PAGES.test(path) || TOOLS.test(path);
const READS_FILES = /\b(read(File|dir)|spawn|fork|import\()/;
const NAMES_THEM = /['/](docs|deploy|docker|tools)['/]|[A-Z]+\.md'/;
/** Suites and what they share: nothing but suites depends on them. */
const SUITE = /\.(spec|stack|browser|bench|speed)\.ts$/;
const HELPER = /^(apps\/e2e\/[a-z]+\/|(apps|libs|clients)\/.*\/test\/).*\.ts$/;
/** Every suite of the programs runs on what these prepare: no suite imports them. */
const SET_UP = /^apps\/e2e\/harness\/(prepare-cluster|every-migration)\.ts$/;

/** Libraries of features. A change of any other project reaches every suite of the programs. */
export const FEATURES = [
  'analysis',
  'auth',
  'chat',
  'extraction',
  'files',
  'gateway',
  'ingestion',
  'models',
  'operations',
  'retrieval',
];

/** What each slow suite of the programs proves beside the platform. One without a row runs with every change. */
export const PROVES = {
  'faults/drain': ['gateway', 'ingestion'],
  'faults/faults': ['extraction', 'files', 'ingestion', 'retrieval'],
  'faults/kept-once': ['auth', 'ingestion', 'operations'],
  'faults/killed-asks': ['chat', 'gateway', 'models', 'retrieval'],
  'faults/killed-skills': ['ingestion', 'models'],
  'faults/killed-spaces': ['ingestion', 'retrieval'],
  'faults/process-triggers': ['chat', 'ingestion', 'operations', 'retrieval'],
  'faults/user-deletion': ['auth', 'chat', 'ingestion', 'operations', 'retrieval'],
  'journeys/backup': ['auth', 'ingestion', 'operations', 'retrieval'],
  'journeys/embedder-switch': ['ingestion', 'models', 'retrieval'],
  'journeys/exit-codes': ['auth', 'ingestion', 'operations'],
  'journeys/export': ['auth', 'chat', 'ingestion', 'operations', 'retrieval'],
  'journeys/killed-processes': ['auth', 'operations'],
  'journeys/later-starts': ['auth', 'chat', 'files', 'ingestion', 'retrieval'],
  'journeys/rebuild': ['ingestion', 'models', 'retrieval'],
  'journeys/spaces-schedule': ['ingestion', 'operations', 'retrieval'],
  'journeys/terminal': ['extraction', 'files', 'ingestion'],
  'test/both-model': ['analysis', 'ingestion', 'retrieval'],
  'test/deletion': ['ingestion', 'retrieval'],
  'test/drift': ['files', 'ingestion', 'retrieval'],
  'test/kafka-away': ['gateway'],
};

/** A suite that reads the sources of all projects. */
const READS_SOURCES = 'libs/auth/src/parameters/definitions.spec.ts';

/** The folder of the project that a path lies in, or undefined. */
const folderOf = (path, folders) => folders.find((folder) => path.startsWith(`${folder}/`));

/** The features that a slow suite of the programs proves; undefined for any other suite. */
export const provedBy = (suite) => {
  const name = /^apps\/.*?(\w+\/[\w-]+)\.slow\.spec\.ts$/.exec(suite)?.[1];
  return name === undefined ? undefined : PROVES[name];
};

/**
 * The suites among some that a change reaches.
 * @param changed folders of the projects with a change beside their tests; @param affected those and all that depend on
 * them; @param tested suites that import a changed test, and those themselves
 */
export const reachedSuites = (suites, { changed, affected, tested = [] }) => {
  const features = changed.map((folder) => FEATURES.find((name) => folder === `libs/${name}`));
  const isAffected = (suite) => {
    if (!suite.startsWith('apps/')) return affected.some((folder) => suite.startsWith(`${folder}/`));
    const proved = provedBy(suite) ?? FEATURES;
    return features.some((feature) => feature === undefined || proved.includes(feature));
  };
  return suites.filter((suite) => tested.includes(suite) || isAffected(suite));
};

/** Whether a test reads or starts what stands outside of the projects. */
const usesOutside = (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  return READS_FILES.test(text) && NAMES_THEM.test(text);
};

/** Paths of the tests of some projects that use what stands outside of the projects. */
const usersOf = (folders) =>
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)))
    .filter((path) => !path.includes('/dist/') && (SUITE.test(path) || HELPER.test(path)) && usesOutside(path));

/** Suites that import some files, and those of the files that are suites. */
const importing = async (paths) => {
  if (paths.length === 0) return [];
  const args = [JEST, '-c', 'jest.config.js', '--listTests', '--json', '--findRelatedTests', ...paths];
  const listed = await run(process.execPath, args);
  return JSON.parse(listed.split('\n').find((line) => line.startsWith('['))).map((path) => relative(root, path));
};

/** Folders of the projects that Nx finds affected by changed files. */
const affectedBy = async (files) => {
  if (files.length === 0) return [];
  const shown = await run(process.execPath, [NX, 'show', 'projects', '--affected', `--files=${files}`, '--json']);
  const names = JSON.parse(shown.split('\n').find((line) => line.startsWith('[')));
  const nameOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name;
  return projectFolders(root).filter((folder) => names.includes(nameOf(folder)));
};

const isTest = (path) => (SUITE.test(path) || HELPER.test(path)) && !SET_UP.test(path);

/**
 * What a change reaches, or undefined where that may be everything: where its base is unknown, or a file outside of the
 * projects changed that suites use without naming it.
 * @param paths from the root, or undefined
 */
export const reachOf = async (paths) => {
  const folders = projectFolders(root).toSorted((one, other) => other.length - one.length);
  if (paths?.every((path) => isNamed(path) || folderOf(path, folders) !== undefined) !== true) return undefined;
  const files = paths.filter((path) => folderOf(path, folders) !== undefined);
  const [tests, sources] = [files.filter(isTest), files.filter((path) => !isTest(path))];
  const users = files.length < paths.length ? usersOf(folders) : [];
  const changedTests = tests.filter((path) => existsSync(join(root, path)));
  return {
    changed: [...new Set(sources.map((path) => folderOf(path, folders)))],
    affected: await affectedBy(sources),
    tested: await importing([...new Set([...changedTests, ...users, ...(sources.length > 0 ? [READS_SOURCES] : [])])]),
  };
};
