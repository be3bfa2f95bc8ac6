// Suites that need real engines: `npm run stack -- test` runs them, `npm test` does not.
const { reporters: _reporters, ...preset } = require('./jest.preset.js');

/** Specs of services that hold on both databases; the short form leaves them to `npm test`. */
const onBoth = (patterns) => (process.env.ACERVO_STACK_SHORT === undefined ? patterns : []);

/** Suites that take minutes: the short form leaves them to the long one. */
const leftToLongForm = (names) =>
  process.env.ACERVO_STACK_SHORT === undefined ? [] : names.map((name) => `/${name}\\.stack\\.ts$`);

module.exports = {
  leftToLongForm,
  onBoth,
  stack: {
    ...preset,
    testMatch: ['<rootDir>/test/**/*.stack.ts'],
    // Prints the time of each suite.
    slowTestThreshold: 0,
  },
};
