module.exports = {
  preset: '../../jest.preset.js',
  displayName: 'standalone-app',
  testSequencer: '<rootDir>/test/longest-first.cjs',
  globalSetup: '<rootDir>/test/prepare-cluster.ts',
};
