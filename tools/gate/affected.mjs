// Which suites a change reaches. The others have passed on the commit that it starts from, and nothing that they prove
// has changed since.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { projectFolders } from '../lib/projects.mjs';
import { run } from '../lib/workspace.mjs';

const NX = join('node_modules', 'nx', 'dist', 'bin', 'nx.js');

/** Pages and charts. Suites that compare them with the code read files, and name these. */
const PAGES = /^(docs|deploy)\/|^[A-Z]+\.md$/;
const READS_FILES = /\bread(File|dir)/;
const NAMES_PAGES = /['/](docs|deploy)['/]|[A-Z]+\.md'/;

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

/** A suite of it reads the sources of all projects. */
const READS_SOURCES = ['libs/auth'];

/** The folder of the project that a path lies in, or undefined. */
const folderOf = (path, folders) => folders.find((folder) => path.startsWith(`${folder}/`));

/** The features that a slow suite of the programs proves; undefined for any other suite. */
export const provedBy = (suite) => {
  const name = /^apps\/.*?(\w+\/[\w-]+)\.slow\.spec\.ts$/.exec(suite)?.[1];
  return name === undefined ? undefined : PROVES[name];
};

/**
 * The suites among some that a change reaches.
 * @param changed folders of the projects with a change; @param affected those and all that depend on them
 */
export const reachedSuites = (suites, { changed, affected }) => {
  const features = changed.map((folder) => FEATURES.find((name) => folder === `libs/${name}`));
  return suites.filter((suite) => {
    if (!suite.startsWith('apps/')) return affected.some((folder) => suite.startsWith(`${folder}/`));
    const proved = provedBy(suite);
    return proved === undefined || features.some((feature) => feature === undefined || proved.includes(feature));
  });
};

/** Whether a suite of a project, or what its suites share, reads pages. */
const readsPages = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /(^test\/.*|\.spec)\.ts$/.test(path))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .some((text) => READS_FILES.test(text) && NAMES_PAGES.test(text));

/** Folders of the projects that Nx finds affected by changed files. */
const affectedBy = async (files) => {
  if (files.length === 0) return [];
  const shown = await run(process.execPath, [NX, 'show', 'projects', '--affected', `--files=${files}`, '--json']);
  const names = JSON.parse(shown.split('\n').find((line) => line.startsWith('[')));
  const nameOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name;
  return projectFolders(root).filter((folder) => names.includes(nameOf(folder)));
};

/**
 * The projects that a change reaches, or undefined where it may reach all of them: where its base is unknown, or a file
 * outside of the projects changed that is no page.
 * @param paths from the root, or undefined
 */
export const reachOf = async (paths) => {
  const folders = projectFolders(root).toSorted((one, other) => other.length - one.length);
  if (paths?.every((path) => PAGES.test(path) || folderOf(path, folders) !== undefined) !== true) return undefined;
  const files = paths.filter((path) => folderOf(path, folders) !== undefined);
  const readers = files.length < paths.length ? folders.filter(readsPages) : [];
  const ofSources = files.length > 0 ? READS_SOURCES : [];
  return {
    changed: [...new Set(files.map((path) => folderOf(path, folders)))],
    affected: [...new Set([...(await affectedBy(files)), ...readers, ...ofSources])],
  };
};
