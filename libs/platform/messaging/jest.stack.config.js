const { stack } = require('../../../jest.stack.preset.js');

module.exports = { ...stack, displayName: 'platform-messaging' };
