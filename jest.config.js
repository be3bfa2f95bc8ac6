const { testTimeout } = require('./jest.preset.js');

// All suites of the workspace in one run. `npm test` runs it; `npx jest -c jest.config.js PATH` runs some of them.
module.exports = {
  projects: ['libs/*', 'libs/platform/*', 'clients/typescript', 'apps/*'].map(
    (folder) => `<rootDir>/${folder}/jest.config.js`,
  ),
  testTimeout,
  reporters: ['default', '<rootDir>/tools/lib/tally-reporter.cjs'],
  // Suites leave garbage behind that packages refer to; a worker that holds more is replaced.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/tools/jest/sequencer.cjs',
};
