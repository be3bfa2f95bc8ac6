module.exports = { preset: '../../jest.preset.js', displayName: 'operations-executor-app' };
