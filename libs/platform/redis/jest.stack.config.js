const preset = require('../../../jest.stack.preset.js');

module.exports = { ...preset, displayName: 'platform-redis' };
