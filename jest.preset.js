const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

// SWC compiles our TypeScript and the ESM-only packages to CommonJS; sibling libraries resolve to their sources.
const esmOnly = [
  '@nestjs',
  '@opentelemetry',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'load-esm',
  'jose',
  '@noble',
  '@scure',
  '@otplib',
  'franc',
  'trigram-utils',
  'n-gram',
  'collapse-white-space',
  'chokidar',
  'readdirp',
  '@asamuzakjp',
  '@csstools',
  '@exodus',
  'parse5',
  'entities',
];

// Jest loads everything anew for each suite, which takes longer than most of them. `npm test` runs the suites of a
// project as one: their names begin with those of their files. A suite that somebody names runs as Jest means it, and so
// do those called `alone`, which ask for everything that is declared: others declare more for their tests.
const suitesOf = (project) =>
  ['src', 'test']
    .filter((folder) => existsSync(join(project, folder)))
    .flatMap((folder) => readdirSync(join(project, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith('.spec.ts') && !name.endsWith('.alone.spec.ts'))
    .sort();

const named = process.env.ACERVO_TESTS_TOGETHER === undefined ? [] : suitesOf(process.cwd());
const chosen =
  named.length > 1
    ? {
        roots: ['<rootDir>', join(__dirname, 'tools', 'together')],
        testMatch: ['**/tools/together/together.spec.js', '<rootDir>/{src,test}/**/*.alone.spec.ts'],
        globals: { SUITES: Object.fromEntries(named.map((name) => [name, join(process.cwd(), name)])) },
      }
    : { testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'] };

module.exports = {
  reporters: ['default', `${__dirname}/tools/lib/tally-reporter.cjs`],
  // A test that is late is a test that hangs: machines that build and test at the same time are slow.
  testTimeout: 20_000,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@acervo/source', 'node', 'node-addons'] },
  ...chosen,
  // What is loaded when it is first needed is named as Node wants it; here it is the source beside it.
  moduleNameMapper: { '^(\\.{1,2}/[a-z]+/index)\\.js$': '$1' },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
};
