const { displayName } = require('./jest.config.js');

module.exports = {
  preset: '../../jest.preset.js',
  displayName: `${displayName}-browser`,
  testMatch: ['<rootDir>/browser/*.browser.ts'],
};
