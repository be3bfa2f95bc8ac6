// SWC compiles our TypeScript and the ESM-only packages to CommonJS; sibling libraries resolve to their sources.
const esmOnly = [
  '@nestjs',
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
];

module.exports = {
  reporters: ['default', `${__dirname}/tools/lib/tally-reporter.cjs`],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@acervo/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
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
