const { onBoth, stack } = require('../../jest.stack.preset.js');

// What holds on the embedded database holds on PostgreSQL.
module.exports = {
  ...stack,
  displayName: 'ingestion',
  testMatch: [...stack.testMatch, ...onBoth(['<rootDir>/test/**/*.spec.ts'])],
};
