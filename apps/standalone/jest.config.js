module.exports = {
  preset: '../../jest.preset.js',
  displayName: 'standalone-app',
  globalSetup: '<rootDir>/test/prepare-cluster.ts',
};
