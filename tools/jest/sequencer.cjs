const { default: Sequencer } = require('@jest/test-sequencer');

const projectOf = ({ context }) => context.config.rootDir;
const isSlow = ({ path }) => path.endsWith('.slow.spec.ts');

/** The suites of a project in Jest's order; the slow suites come first. */
const ordered = (tests) => [...tests.filter(isSlow), ...tests.filter((test) => !isSlow(test))];

/**
 * Runs the suites of the whole program first, because they take longest. Suites of one library run one after another,
 * so that they share a database.
 */
module.exports = class ByProject extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const projects = [...new Set(sorted.map(projectOf))].sort();
    return projects.flatMap((project) => ordered(sorted.filter((test) => projectOf(test) === project)));
  }
};
