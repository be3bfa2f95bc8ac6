module.exports = { preset: '../../jest.preset.js', displayName: 'retrieval-service-app' };
