const { stack } = require('../../../jest.stack.preset.js');

// What holds for the embedded database holds for a server, but for what is the multiplexer's own.
const both = ['transactions', 'catalogue', 'notifications', 'row-security'];

module.exports = {
  ...stack,
  displayName: 'platform-database',
  testMatch: [...stack.testMatch, ...both.map((name) => `<rootDir>/test/${name}.spec.ts`)],
};
