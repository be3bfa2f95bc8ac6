const { default: Sequencer } = require('@jest/test-sequencer');

/** Short files that take long: they would keep one worker busy when all others have ended, were they not the first. */
const LONGEST = ['faults.spec.ts', 'schemathesis.spec.ts'];

/** The order of Jest, which begins with the largest files where it has not seen a suite run yet, after the longest suites. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLongest = ({ path }) => LONGEST.some((name) => path.endsWith(name));
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
};
