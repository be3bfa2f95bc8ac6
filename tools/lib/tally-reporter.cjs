const { mkdirSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const root = join(__dirname, '..', '..');

/** A failed suite may leave an engine or a timer, which would keep its process running. */
const LONGEST_END_MS = 10_000;

/** Failures that a machine under load causes: the limit of Jest, or of `until`. */
const LATE = /Exceeded timeout of|\bTooLate\b/;

const failure = (title, message) => ({ title, kind: LATE.test(message) ? 'late' : 'wrong', message });

const failuresOf = ({ testResults, testExecError, failureMessage }) => {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const failures = failed.map(({ fullName, failureMessages }) => failure(fullName, failureMessages.join('\n')));
  if (failures.length > 0 || (testExecError === undefined && !failureMessage)) return failures;
  return [failure('the suite does not run', failureMessage ?? String(testExecError))];
};

/** What `tally.mjs` reads of a suite. */
const outcomeOf = (result) => {
  const { testFilePath, numPassingTests, numPendingTests, numTodoTests, perfStats } = result;
  const failures = failuresOf(result);
  return {
    path: relative(root, testFilePath),
    passed: numPassingTests,
    failed: failures.length,
    skipped: numPendingTests + numTodoTests,
    seconds: Math.round(perfStats.runtime / 100) / 10,
    failures,
  };
};

/**
 * Writes the outcome of each suite of a Jest run for `tally.mjs`, as soon as it is known: one file per project, or per
 * run as ACERVO_TALLY names it.
 */
module.exports = class TallyReporter {
  constructor() {
    this.suites = [];
  }

  onTestResult({ context }, result) {
    this.suites.push(outcomeOf(result));
    const folder = join(root, 'node_modules', '.acervo-tests');
    const name = process.env.ACERVO_TALLY ?? context.config.displayName?.name ?? 'unnamed';
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(this.suites));
  }

  onRunComplete() {
    const hasFailed = this.suites.some(({ failed }) => failed > 0);
    if (hasFailed) setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
  }
};
