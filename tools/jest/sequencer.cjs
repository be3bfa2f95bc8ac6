const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const root = join(__dirname, '..', '..');
const TIMES = join(__dirname, 'times.json');
const times = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {};

const projectOf = ({ context }) => context.config.rootDir;
/** Recorded seconds; a suite without them is taken for a short one. */
const secondsOf = ({ path }) => times[relative(root, path)] ?? 0;

/**
 * Suites of one library run one after another, so that they share a database; its longest suites come first, and so do
 * those of the programs.
 */
module.exports = class ByProject extends Sequencer {
  sort(tests) {
    const projects = [...new Set(tests.map(projectOf))].sort();
    return projects.flatMap((project) =>
      tests.filter((test) => projectOf(test) === project).sort((one, other) => secondsOf(other) - secondsOf(one)),
    );
  }
};
