module.exports = { preset: '../../jest.preset.js', displayName: 'migrate-app' };
