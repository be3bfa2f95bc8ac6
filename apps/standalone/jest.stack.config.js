const { onBoth, stack } = require('../../jest.stack.preset.js');

// The journeys of the program, unchanged, with each service in a process of its own on real engines.
const journeys = ['first-search', 'living-folder', 'access-changes'];
// The others look into the embedded engines, damage their files, or end the one process that all services share.
const longForm = ['added-folders', 'formats', 'operations', 'previews', 'terminal', 'visibility'];

module.exports = {
  ...stack,
  displayName: 'standalone-app',
  testMatch: [
    ...stack.testMatch,
    ...[...journeys, ...onBoth(longForm)].map((name) => `<rootDir>/test/${name}.spec.ts`),
  ],
};
