// Suites that need real engines: `npm run stack -- test` runs them, `npm test` does not.
const { reporters: _reporters, ...preset } = require('./jest.preset.js');

module.exports = { ...preset, testTimeout: 60_000, testMatch: ['<rootDir>/test/**/*.stack.ts'] };
