const { leftToLongForm, onBoth, stack } = require('../../jest.stack.preset.js');

// What holds on the embedded database holds on PostgreSQL. The other specs read plans and indexes of its BM25.
const spaces = ['dependent-spaces', 'space-laws', 'space-refresh', 'space-schedule', 'space-transfer', 'spaces'];
const specs = ['projection', 'spaces-of-users', ...spaces];

module.exports = {
  ...stack,
  displayName: 'retrieval',
  testPathIgnorePatterns: ['/node_modules/', ...leftToLongForm(['space-search'])],
  testMatch: [...stack.testMatch, ...onBoth(specs.map((name) => `<rootDir>/test/${name}.spec.ts`))],
};
