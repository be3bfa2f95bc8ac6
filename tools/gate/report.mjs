// The last lines of a run: what failed, what is flaky, and one line of sums.
import { outcomes, tally } from '../lib/tally.mjs';
import { failureLines } from './failures.mjs';
import { pressure } from './machine.mjs';
import { flakyLines, flakyOf } from './rerun.mjs';

const MOST_LINES = 60;
const COLUMNS = 160;
const SLOWEST = 5;

const slowest = (suites) =>
  suites
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ path, seconds }) => `${path.replace(/^.*\//, '')} ${seconds.toFixed(0)} s`)
    .join(', ');

/**
 * At most 60 lines; the last is the tally.
 * @param problems blocks of lines on steps that failed
 */
export const reportLines = ({ passed, elapsed, factor, logPath, problems }) => {
  const suites = outcomes();
  const outcome = passed ? 'PASSED' : 'FAILED';
  const head = [
    '',
    `GATE ${outcome} in ${elapsed}   factor ${factor}   pressure ${pressure() ?? 'unknown'}   log ${logPath}`,
  ];
  const tail = [
    ...flakyOf(suites).flatMap((suite) => flakyLines(suite)),
    ...(suites.length > 0 ? [`slowest: ${slowest(suites)}`] : []),
    tally(),
  ];
  const failed = suites.filter((suite) => suite.failed > 0).flatMap(failureLines);
  const body = [...problems.flat(), ...failed].map((line) => line.slice(0, COLUMNS));
  const room = MOST_LINES - head.length - tail.length;
  const hidden = body.length - room;
  return [
    ...head,
    ...(hidden > 0 ? [...body.slice(0, room - 1), `… ${hidden + 1} more lines in the log`] : body),
    ...tail,
  ];
};
