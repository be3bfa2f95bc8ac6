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
  'pkijs',
  'asn1js',
  'pvtsutils',
  'pvutils',
  'bytestreamjs',
  '@peculiar/utils',
];

module.exports = {
  reporters: ['default', join(__dirname, 'tools', 'lib', 'tally-reporter.cjs')],
  // Detects tests that hang. What a test waits for has its limit in one place: `until` of platform-testing.
  testTimeout: 180_000,
  testEnvironment: join(__dirname, 'tools', 'jest', 'environment.cjs'),
  runtime: join(__dirname, 'tools', 'jest', 'runtime.cjs'),
  testEnvironmentOptions: { customExportConditions: ['@acervo/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
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
