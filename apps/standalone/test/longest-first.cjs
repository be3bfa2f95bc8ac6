const { default: Sequencer } = require('@jest/test-sequencer');

/** The suite that would keep one worker busy when all others have ended, were it not the first. */
const LONGEST = 'faults.spec.ts';

/** The order of Jest, which begins with the largest files where it has not seen a suite run yet, after the longest suite. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLongest = ({ path }) => path.endsWith(LONGEST);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
};
