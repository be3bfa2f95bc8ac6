const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Lines of a failed suite that are repeated: enough for the first failures and their places. */
const LINES = 80;

/** A failed suite may leave an engine or a timer, which would keep its process running. */
const LONGEST_END_MS = 10_000;

const complaintOf = ({ testFilePath, failureMessage }) =>
  [testFilePath, ...failureMessage.split('\n').slice(0, LINES)].join('\n');

/**
 * Writes the counts and failures of a Jest run for `tally.mjs`: one file per project, or per run as ACERVO_TALLY names
 * it.
 */
module.exports = class TallyReporter {
  onRunComplete(contexts, results) {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, testResults } = results;
    const folder = join(__dirname, '..', '..', 'node_modules', '.acervo-tests');
    const name = process.env.ACERVO_TALLY ?? [...contexts][0]?.config.displayName?.name ?? 'unnamed';
    mkdirSync(folder, { recursive: true });
    const counts = {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests,
      complaints: testResults.filter(({ failureMessage }) => failureMessage).map(complaintOf),
    };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(counts));
    if (counts.failed > 0) setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
  }
};
