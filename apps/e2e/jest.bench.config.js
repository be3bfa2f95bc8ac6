const { displayName } = require('./jest.config.js');

module.exports = {
  preset: '../../jest.preset.js',
  displayName: `${displayName}-bench`,
  reporters: ['default'],
  testMatch: ['<rootDir>/*/*.bench.ts'],
};
