module.exports = { preset: '../../jest.preset.js', displayName: 'ingestion-service-app' };
