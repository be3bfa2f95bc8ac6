const preset = require('../../jest.stack.preset.js');

// What holds on the embedded database holds on PostgreSQL.
module.exports = { ...preset, displayName: 'auth', testMatch: [...preset.testMatch, '<rootDir>/test/**/*.spec.ts'] };
