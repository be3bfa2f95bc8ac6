import nx from '@nx/eslint-plugin';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import jestPreset from './jest.preset.js';
import { knownImports } from './tools/checks/script-imports.mjs';

/** Who may import whom. A layer that is missing here may import nothing, and a project without a layer fails a check. */
const mayImport = {
  client: ['client'],
  contract: ['contract'],
  platform: ['contract', 'platform'],
  service: ['contract', 'platform'],
  app: ['contract', 'platform', 'service'],
  composition: ['contract', 'platform', 'app', 'composition'],
};

/** Suites of programs also look into the libraries of services, and use the published packages. */
const suitesMayImport = { ...mayImport, composition: [...mayImport.composition, 'service', 'client'] };

const boundaries = (allowed) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      banTransitiveDependencies: true,
      // Adapters have entries of their own, which modules load where they are configured.
      checkDynamicDependenciesExceptions: ['.*'],
      depConstraints: Object.entries(allowed).map(([layer, layers]) => ({
        sourceTag: `layer:${layer}`,
        onlyDependOnLibsWithTags: layers.map((name) => `layer:${name}`),
      })),
    },
  ],
});

/** Clients that see every group, and the one folder each that holds them and binds what they do to a group. */
const clients = {
  '@opensearch-project/*': 'libs/retrieval/src/legs/opensearch',
  '@aws-sdk/*': 'libs/platform/object-store/src/s3',
  ioredis: 'libs/platform/redis/src',
  kafkajs: 'libs/platform/messaging/src/kafka',
};

/** Code of programs, which answers to users and to administrators. */
const PROGRAMS = ['libs/**/src/**/*.ts', 'apps/**/src/**/*.ts'];
const SUITES = ['**/*.spec.ts', 'libs/platform/testing/**', 'libs/platform/test-bed/**'];

/**
 * Who sends requests: the client for addresses that users give, the clients of engines and services that an operator
 * configures, and a program that asks itself. Everything else fetches by `libs/platform/egress`.
 */
const senders = [
  'libs/platform/egress/src/**/*.ts',
  'libs/platform/calls/src/peer-connections.ts',
  'libs/models/src/chat/capped-fetch.ts',
  'libs/models/src/http/http-embedder.ts',
  'libs/models/src/probe.ts',
  'libs/extraction/src/unstructured/partition-client.ts',
  // Takes the network away from a process that reads files.
  'libs/extraction/src/sandbox/seal.ts',
  'apps/standalone/src/embedder/e5-process.ts',
  'apps/standalone/src/installation/forwarder.ts',
  'apps/standalone/src/installation/processes.ts',
  'apps/standalone/src/kernel/control.ts',
];

const BY_EGRESS = 'Fetch by `Egress` of @acervo/platform-egress; no other client checks where a user sends it.';

/** What of the modules of Node opens connections. Servers and types stay free. */
const sendingNames = {
  http: ['request', 'get', 'Agent', 'globalAgent', 'default'],
  https: ['request', 'get', 'Agent', 'globalAgent', 'default'],
  http2: ['connect', 'default'],
  net: ['connect', 'createConnection', 'default'],
  tls: ['connect', 'default'],
};

const sendingModules = Object.entries(sendingNames).flatMap(([name, importNames]) =>
  [name, `node:${name}`].map((path) => ({ name: path, importNames, allowTypeImports: true, message: BY_EGRESS })),
);

const sendingGlobals = ['fetch', 'EventSource', 'WebSocket', 'XMLHttpRequest'];

/** The same modules, loaded while the program runs. */
const loadedSenders = [
  'ImportExpression > Literal.source',
  'CallExpression[callee.name="require"] > Literal.arguments',
].map((source) => ({ selector: `${source}[value=/^(node:)?(https?|http2|net|tls|undici)$/]`, message: BY_EGRESS }));

/**
 * @param client the client of an engine that may be imported here
 * @param sends whether requests may be sent here
 */
const withoutClients = ({ client, sends }) => {
  const group = Object.keys(clients).filter((name) => name !== client);
  const message = 'Call engines through their port, which names the group; only its adapter has a client.';
  const engines = { group, message };
  if (sends) return { 'no-restricted-imports': ['error', { patterns: [engines] }] };
  const patterns = [engines, { group: ['undici', 'undici/*'], message: BY_EGRESS }];
  return { 'no-restricted-imports': ['error', { patterns, paths: sendingModules }] };
};

/** The global names of the Node that runs the linter, which is the one that runs the scripts. */
const nodeGlobals = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']));

/** Scripts have no compiler: these rules find unknown, hidden and unused names. */
const scriptRules = {
  'acervo/known-imports': 'error',
  'no-const-assign': 'error',
  'no-dupe-keys': 'error',
  'no-import-assign': 'error',
  'no-redeclare': 'error',
  // A name that hides a function of Node is as wrong as one that hides an import. `global` is the realm of a suite.
  'no-shadow': ['error', { builtinGlobals: true, hoist: 'all', allow: ['global'] }],
  'no-undef': 'error',
  'no-unreachable': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'no-use-before-define': ['error', { functions: false, variables: false }],
};

/** A list that is spread into a list says nothing more than its elements do. */
const spreadLists = {
  selector: 'ArrayExpression > SpreadElement > ArrayExpression',
  message: 'List the elements themselves; Prettier breaks the lines.',
};

/** The limit of a test detects hangs; one below the common limit fails on a busy machine instead. */
const shortLimits = [
  'CallExpression[callee.name=/^(it|test|(before|after)(All|Each))$/]',
  'CallExpression[callee.callee.object.name=/^(it|test)$/]',
].map((test) => ({
  selector: `${test} > Literal.arguments[value<=${jestPreset.testTimeout}]`,
  message: 'Leave the limit to `testTimeout`; wait with `until` of platform-testing.',
}));

/** The suites of a worker share its realm: a timer that another suite left would run without an end. */
const allTimers = {
  selector: 'MemberExpression[object.name=jest] > Identifier.property[name=/^runAllTimers(Async)?$/]',
  message: 'Advance the timers by the time that the test needs (`advanceTimersByTimeAsync`).',
};

/** Rounds of a program do not overlap, and end with it. */
const bareIntervals = {
  selector: 'CallExpression[callee.name=setInterval]',
  message: 'Use `Periodic` of platform-resilience: its runs never overlap, and a stop waits for the last one.',
};

const restrictedSyntax = [spreadLists, ...shortLimits, allTimers];

export default defineConfig(
  { ignores: ['**/dist/**', '**/jest.config.js', '**/jest.stack.config.js'] },
  { files: ['**/*.ts', '**/*.mjs'], rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax] } },
  {
    files: ['libs/**/src/**/*.ts', 'apps/**/src/**/*.ts', 'src/**/*.ts'],
    // The clock of suites, whose ticks count while nothing else keeps a process alive.
    ignores: ['**/patience.ts', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, bareIntervals] },
  },
  {
    files: ['**/*.{mjs,cjs}', '*.js'],
    plugins: { acervo: { rules: { 'known-imports': knownImports } } },
    languageOptions: { globals: nodeGlobals },
    rules: scriptRules,
  },
  {
    files: ['**/*.cjs', '*.js'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly', __filename: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['libs/**/src/**/*.ts', 'apps/**/src/**/*.ts', 'src/**/*.ts'],
    // The client runs in programs of other people, and reads the variable that an answer names.
    ignores: ['**/main.ts', '**/*.spec.ts', '**/testing/**', '**/originals.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Settings are read once, by the configuration class of the app.',
        },
        { object: 'globalThis', property: 'fetch', message: BY_EGRESS },
      ],
    },
  },
  { files: ['**/*.ts'], rules: withoutClients({ sends: true }) },
  {
    files: PROGRAMS,
    ignores: [...SUITES, ...senders],
    rules: {
      ...withoutClients({ sends: false }),
      'no-restricted-globals': ['error', ...sendingGlobals.map((name) => ({ name, message: BY_EGRESS }))],
      'no-restricted-syntax': ['error', ...restrictedSyntax, ...loadedSenders, bareIntervals],
    },
  },
  // The one place of intervals.
  { files: ['**/periodic.ts'], rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...loadedSenders] } },
  ...Object.entries(clients).map(([client, folder]) => ({
    files: [`${folder}/**/*.ts`],
    rules: withoutClients({ client, sends: false }),
  })),
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: boundaries(mayImport),
  },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'apps/e2e/**/*.ts'],
    rules: boundaries(suitesMayImport),
  },
);
