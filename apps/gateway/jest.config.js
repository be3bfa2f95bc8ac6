module.exports = { preset: '../../jest.preset.js', displayName: 'gateway-app' };
