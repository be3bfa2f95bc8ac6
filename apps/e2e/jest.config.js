module.exports = {
  preset: '../../jest.preset.js',
  displayName: 'e2e',
  testMatch: ['<rootDir>/*/*.spec.ts'],
  globalSetup: '<rootDir>/harness/prepare-cluster.ts',
};
