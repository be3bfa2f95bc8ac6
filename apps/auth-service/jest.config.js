module.exports = { preset: '../../jest.preset.js', displayName: 'auth-service-app' };
