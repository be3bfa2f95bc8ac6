const { stack } = require('../../jest.stack.preset.js');

// The journeys of the program, unchanged, with each service in a process of its own on real engines.
const journeys = ['first-search', 'living-folder', 'access-changes'];

module.exports = {
  ...stack,
  displayName: 'standalone-app',
  testMatch: [...stack.testMatch, ...journeys.map((name) => `<rootDir>/test/${name}.spec.ts`)],
};
