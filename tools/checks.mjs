#!/usr/bin/env node
// Checks what the linter cannot see: layers, references, root scripts, images, names, pages, and that the boundary rule bites.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { absentProviderProblems } from './checks/absent-providers.mjs';
import { callerStateProblemsHere } from './checks/caller-state.mjs';
import { clockProblems } from './checks/clock-bounds.mjs';
import { classNameProblemsHere } from './checks/class-names.mjs';
import { decoratorProblemsIn } from './checks/decorated-files.mjs';
import { featureProblems } from './checks/feature-cycles.mjs';
import { graphProblems } from './checks/project-graph.mjs';
import { regularExpressionProblems } from './checks/regular-expressions.mjs';
import { oasdiffProblems } from './checks/oasdiff.mjs';
import { releasedProblems } from './checks/released.mjs';
import { serviceProblems, workspaceAt } from './checks/services.mjs';
import { statementProblems } from './checks/statements.mjs';
import { supplyChainProblemsIn } from './checks/supply-chain.mjs';
import { taskTableProblemsIn } from './checks/task-table.mjs';
import { vocabularyProblems } from './checks/vocabulary.mjs';
import { composeProblems, embedderProblems, facts } from './lib/compose.mjs';
import { root } from './lib/options.mjs';
import { projectFolders } from './lib/projects.mjs';
import { pythonClientProblems } from './lib/python-client.mjs';
import { typescriptClientProblems } from './lib/typescript-client.mjs';

const layers = ['client', 'contract', 'platform', 'service', 'app', 'composition'];
const read = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));

const projects = projectFolders(root).map((path) => ({ path, manifest: read(path, 'package.json') }));

const folderOf = new Map(projects.map(({ path, manifest }) => [manifest.name, path]));

const layerProblems = ({ path, manifest }) =>
  layers.some((layer) => manifest.nx?.tags?.includes(`layer:${layer}`)) ? [] : [`${path} has no layer tag.`];

const referenceProblems = ({ path, manifest }) => {
  // A published package bundles what it needs to be built alone.
  const needed = Object.keys({
    ...manifest.dependencies,
    ...(manifest.private ? {} : manifest.devDependencies),
  }).filter((name) => name.startsWith('@acervo/'));
  const listed = read(path, 'tsconfig.json').references.map((reference) =>
    relative(root, join(root, path, reference.path)),
  );
  const missing = needed.filter((name) => !listed.includes(folderOf.get(name)));
  const extra = listed.filter((folder) => !needed.some((name) => folderOf.get(name) === folder));
  return [
    ...missing.map((name) => `${path}/tsconfig.json lacks a reference to ${name}.`),
    ...extra.map((folder) => `${path}/tsconfig.json refers to ${folder}, which package.json does not name.`),
  ];
};

/** One type check covers the suites of every project. */
const typeCheckProblems = () => {
  const checked = read('tsconfig.specs.json').references.map(({ path }) => path);
  return projects
    .map(({ path }) => `${path}/tsconfig.spec.json`)
    .filter((path) => existsSync(join(root, path)) && !checked.includes(path))
    .map((path) => `tsconfig.specs.json lacks ${path}.`);
};

const scriptProblems = () =>
  Object.keys(read('package.json').scripts).length > 10 ? ['The root has more than 10 scripts; use arguments.'] : [];

const namesIn = (pattern, ...path) =>
  new Set([...readFileSync(join(root, ...path), 'utf8').matchAll(pattern)].map(([, name]) => name));

/**
 * Every app has an image and every image an app. Programs receive the settings that they read or require, and no
 * others.
 */
const imageProblems = () => {
  const programs = readdirSync(join(root, 'apps')).filter((name) => !['cli', 'standalone', 'e2e'].includes(name));
  const composed = namesIn(/SERVICE: ([\w-]+)/g, 'docker', 'compose.yaml');
  const declared = [...namesIn(/\b(ACERVO_\w+)=/g, 'docker', 'Dockerfile')];
  const listed = namesIn(/^\| `(ACERVO_\w+)`/gm, 'docs', 'configuration.md');
  return [
    ...programs.filter((name) => !composed.has(name)).map((name) => `docker/compose.yaml does not run apps/${name}.`),
    ...[...composed]
      .filter((name) => !programs.includes(name))
      .map((name) => `docker/compose.yaml runs no app ${name}.`),
    ...declared
      .filter((name) => !listed.has(name))
      .map((name) => `docker/Dockerfile sets ${name}, which nothing reads.`),
    ...composeProblems(readFileSync(join(root, 'docker', 'compose.yaml'), 'utf8'), facts()),
    ...embedderProblems(),
  ];
};

/**
 * The rules by which the linter refuses a file of these lines in a project. The file exists on its standard input alone:
 * other checks read the workspace at the same time.
 */
const refusals = (project, lines) => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'eslint', 'bin', 'eslint.js'),
      '--stdin',
      '--stdin-filename',
      'src/planted-violation.ts',
    ],
    {
      cwd: join(root, project),
      encoding: 'utf8',
      env: { ...process.env, NX_DAEMON: 'false' },
      input: `${lines.join('\n')}\n`,
    },
  );
  return status !== 0 && stdout.includes('planted-violation') ? stdout : '';
};

const BOUNDARY = 'enforce-module-boundaries';

/** Ways to send a request past the client that checks addresses. The linter must refuse each line. */
const SENDERS = [
  "import { request } from 'undici';",
  "import { request as requestTls } from 'node:https';",
  "import { get } from 'http';",
  "import * as http from 'node:http';",
  "import net from 'node:net';",
  "const fetched = fetch('https://site.example');",
  'const hidden = globalThis.fetch;',
  "const socket = new WebSocket('wss://site.example');",
  "const loaded = import('node:http2');",
  "const required = require('undici');",
];
const INTERVAL = 'const interval = setInterval(() => undefined, 1_000);';
const PLANTED_NAMES = '[request, requestTls, get, http, net, fetched, hidden, socket, loaded, required, interval]';

/** One file with every forbidden line: each must be refused, and for its own reason. */
const forbiddenLineProblems = () => {
  const forbidden = [
    ...SENDERS.map((line) => ({ line, reason: 'Fetch by `Egress`' })),
    { line: INTERVAL, reason: 'Use `Periodic`' },
  ];
  const lines = forbidden.map(({ line }) => line);
  const refused = refusals('libs/ingestion', [...lines, `export const planted = ${PLANTED_NAMES};`]).split('\n');
  const isRefused = ({ reason }, index) =>
    refused.some((text) => text.trim().startsWith(`${index + 1}:`) && text.includes(reason));
  return forbidden
    .filter((each, index) => !isRefused(each, index))
    .map(({ line, reason }) => `The linter should answer "${reason}", and does not mind: ${line}`);
};

/**
 * Shows the linter forbidden imports: a service library in another one and in the one-machine program, the client of an
 * engine beside its adapter. It must refuse each.
 */
const boundaryProblems = () => {
  const service = refusals('libs/retrieval', [
    "import * as other from '@acervo/ingestion';",
    "import * as raw from '@opensearch-project/opensearch';",
    'export const planted = [other, raw];',
  ]);
  // The rule of the boundaries skips itself without the graph, which the linter of all projects leaves behind.
  if (service.includes('No cached ProjectGraph'))
    return ['Run `npm run lint`: it makes the graph that this check needs.'];
  const program = refusals('apps/standalone', ["export * from '@acervo/ingestion';"]);
  return [
    ...(service.includes(BOUNDARY) ? [] : ['A service library imported another one and the linter did not mind.']),
    ...(program.includes(BOUNDARY) ? [] : ['apps/standalone imported a service library and the linter did not mind.']),
    ...(service.includes('no-restricted-imports')
      ? []
      : ['A client of an engine was imported beside its adapter and the linter did not mind.']),
  ];
};

/** The list of flaky suites is short, and its suites exist. */
const MOST_FLAKY = 10;
const flakyProblems = () => {
  const flaky = read('tools', 'flaky.json');
  return [
    ...(flaky.length > MOST_FLAKY ? [`tools/flaky.json has more than ${MOST_FLAKY} entries: repair some.`] : []),
    ...flaky
      .filter(({ suite, cause }) => !existsSync(join(root, suite)) || !cause)
      .map(({ suite }) => `tools/flaky.json: ${suite} does not exist, or its entry names no suspected cause.`),
  ];
};

const serviceFolders = projects
  .filter(({ manifest }) => manifest.nx?.tags?.includes('layer:service'))
  .map(({ path }) => path);

const problems = [
  ...projects.flatMap((project) => [...layerProblems(project), ...referenceProblems(project)]),
  ...typeCheckProblems(),
  ...scriptProblems(),
  ...imageProblems(),
  ...serviceProblems(workspaceAt(root)),
  ...boundaryProblems(),
  ...forbiddenLineProblems(),
  ...taskTableProblemsIn(serviceFolders),
  ...decoratorProblemsIn(serviceFolders),
  ...vocabularyProblems(),
  ...regularExpressionProblems(),
  ...callerStateProblemsHere(),
  ...graphProblems(root),
  ...classNameProblemsHere(serviceFolders),
  ...featureProblems(
    root,
    projects.map(({ path }) => path),
  ),
  ...absentProviderProblems(
    root,
    projects.map(({ path }) => path).filter((path) => existsSync(join(root, path, 'src'))),
  ),
  ...clockProblems(),
  ...flakyProblems(),
  ...supplyChainProblemsIn(root),
  ...statementProblems(),
  ...releasedProblems(),
  ...oasdiffProblems(),
  ...typescriptClientProblems(),
  ...pythonClientProblems(),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${projects.length} projects checked, ${problems.length} problems.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
