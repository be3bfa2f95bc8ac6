module.exports = { preset: '../../jest.preset.js', displayName: 'public-mapping' };
