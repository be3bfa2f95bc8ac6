// Compares what the pages say with the code: links and files, commands and options, settings and their defaults, routes,
// metrics and codes, and the numbers that stated-numbers.json binds to a constant.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { help as helpOfStart, root } from '../lib/options.mjs';
import { help as helpOfStack } from '../stack/options.mjs';
import { codeProblems, codesIn } from './statements/codes.mjs';
import { commandProblems } from './statements/commands.mjs';
import { declaredCommands } from './statements/declared-commands.mjs';
import { fileProblems, linkProblems } from './statements/links.mjs';
import { numberProblems } from './statements/numbers.mjs';
import { metricProblems, metricsOf, routeProblems, routesOf } from './statements/routes.mjs';
import { defaultsIn, settingNamesIn, settingProblems } from './statements/settings.mjs';

const NUMBERS = 'tools/checks/stated-numbers.json';
const SETTINGS = 'docs/configuration.md';
const METRICS = 'docs/metrics.md';
/** Where a program or the client lists the variables that it reads. */
const VARIABLES = [
  ...['setting-names.ts', 'tool-variables.ts'].map((name) => `libs/platform/config/src/${name}`),
  'libs/cli/src/command-session.ts',
];

const PAGE =
  /^(?:README|CONTRIBUTING|SECURITY)\.md$|^docs\/[^/]+\.md$|^(?:apps|clients)\/[^/]+\/README\.md$|^deploy\/.*\.md$/;
/** A record of a decision speaks of its day: its links alone are checked. */
const DECISION = /^docs\/adr\/[^/]+\.md$/;

/** Files and their texts. @param files `paths` from the root, and `read` of the text of one */
const treeOf = ({ paths, read }) => {
  const texts = new Map();
  const text = (path) => {
    if (!texts.has(path)) texts.set(path, read(path));
    return texts.get(path);
  };
  const folders = paths.flatMap((path) => path.split('/').map((_part, at, parts) => parts.slice(0, at).join('/')));
  const names = new Set([...paths, ...folders]);
  return {
    paths,
    text,
    has: (path) => names.has(path),
    some: (pattern) => [...names].some((name) => pattern.test(name)),
    read: (path) => (names.has(path) ? text(path) : undefined),
    textsOf: (pattern) => paths.filter((path) => pattern.test(path)).map(text),
  };
};

/** Everything that pages are compared with. */
const declarationsOf = (tree, helps) => ({
  commands: declaredCommands({
    helps,
    read: tree.read,
    below: (folder) => tree.paths.filter((path) => path.startsWith(`${folder}/`) && !path.endsWith('.spec.ts')),
  }),
  settings: { names: settingNamesIn(VARIABLES.map(tree.text)), defaults: defaultsIn(tree.text(SETTINGS)) },
  routes: routesOf(
    tree.textsOf(/^libs\/.*\/src\/.*\.controller\.ts$/),
    tree.text('libs/contracts/src/documents/documents.ts'),
  ),
  metrics: metricsOf(tree.text(METRICS)),
  codes: codesIn(tree.textsOf(/^libs\/contracts\/src\/.*(?<!\.spec)\.ts$/)),
});

const pageProblems = (page, tree, { commands, settings, routes, metrics, codes }) => {
  const text = tree.text(page);
  return [
    ...linkProblems(page, text, tree),
    ...fileProblems(page, text, tree),
    ...commandProblems(page, text, commands),
    // The reference of settings is generated from their declarations.
    ...(page === SETTINGS ? [] : settingProblems(page, text, settings)),
    ...routeProblems(page, text, routes),
    ...metricProblems(page, text, metrics),
    ...codeProblems(page, text, codes),
  ];
};

const boundNumbers = (text) =>
  Object.entries(JSON.parse(text)).flatMap(([page, rows]) => rows.map((row) => ({ page, ...row })));

/** What is wrong with the pages of a tree. @param files see `treeOf` @param helps of `npm start` and `npm run stack` */
export const statementProblemsIn = (files, helps) => {
  const tree = treeOf(files);
  const declarations = declarationsOf(tree, helps);
  return [
    ...tree.paths.filter((path) => DECISION.test(path)).flatMap((page) => linkProblems(page, tree.text(page), tree)),
    ...tree.paths.filter((path) => PAGE.test(path)).flatMap((page) => pageProblems(page, tree, declarations)),
    ...numberProblems(boundNumbers(tree.text(NUMBERS)), {
      read: tree.read,
      defaults: declarations.settings.defaults,
    }),
  ];
};

/** Files of this checkout that are committed, or would be. */
export const filesHere = () => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return {
    paths: listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path))),
    read: (path) => readFileSync(join(root, path), 'utf8'),
  };
};

export const helpsHere = () => ({ start: helpOfStart(), stack: helpOfStack() });

/** What is wrong with the pages of this checkout. */
export const statementProblems = () => statementProblemsIn(filesHere(), helpsHere());
