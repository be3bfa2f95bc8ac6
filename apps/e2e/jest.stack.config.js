const { leftToLongForm, onBoth, stack } = require('../../jest.stack.preset.js');

// The journeys of the program, unchanged, with each service in a process of its own on real engines.
const journeys = ['first-search', 'access-changes'];
// The others look into the embedded engines, damage their files, or end the one process that all services share. Why
// those do not run here of which it is not seen at once:
// - export, rebuild, retrievals: they open the files of the embedded database themselves, while no program runs;
// - later-starts: it counts the process of that database, and begins a data directory as a copy of another one.
const longForm = [
  ...['added-folders', 'formats', 'kept-once.slow', 'living-folder', 'operations', 'previews', 'secrets-at-rest'],
  ...['spaces', 'terminal', 'traces', 'visibility'],
];

module.exports = {
  ...stack,
  displayName: 'e2e',
  testPathIgnorePatterns: [
    '/node_modules/',
    ...leftToLongForm([
      ...['deployment.isolated', 'engines-fail.isolated', 'key-rotation.isolated', 'password-rotation.isolated'],
      ...['schema-versions.isolated', 'index-rebuild'],
    ]),
  ],
  testMatch: [
    '<rootDir>/stack/*.stack.ts',
    ...[...journeys, ...onBoth(longForm)].map((name) => `<rootDir>/*/${name}.spec.ts`),
  ],
};
