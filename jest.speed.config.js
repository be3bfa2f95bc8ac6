// Suites that judge milliseconds, ratios and percentiles. They run alone on an idle machine: npm run bench -- promises.
const preset = require('./jest.preset.js');

module.exports = {
  ...preset,
  rootDir: __dirname,
  displayName: 'speed',
  testMatch: ['<rootDir>/{apps,libs}/**/*.speed.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};
