const { stack } = require('../../../jest.stack.preset.js');

// What holds on the embedded database holds on PostgreSQL.
module.exports = {
  ...stack,
  displayName: 'platform-queue',
  testMatch: [...stack.testMatch, '<rootDir>/test/**/*.spec.ts'],
};
