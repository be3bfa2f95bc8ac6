const WorkerEnvironment = require('../../jest/environment.cjs');

/** Where Stryker says which mutant is active. */
const ACTIVE = '__STRYKER_ACTIVE_MUTANT__';

/** The environment of all suites. It outlives a suite, so that each run sets its mutant. */
module.exports = class MutationEnvironment extends WorkerEnvironment {
  constructor(config, context) {
    super(config, context);
    const { env } = this.global.process;
    delete env[ACTIVE];
    if (process.env[ACTIVE] !== undefined) env[ACTIVE] = process.env[ACTIVE];
  }
};
