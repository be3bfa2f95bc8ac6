// Promises about milliseconds, ratios and percentiles (*.speed.ts). They hold for an idle machine, and run alone.
import { JEST } from '../gate/shards.mjs';
import { pressure } from '../gate/machine.mjs';
import { run as runProgram } from '../lib/workspace.mjs';

/** Percent of ten seconds in which a process waited for a processor: with more, figures tell about the machine. */
const MOST_PRESSURE = 5;

export const run = async () => {
  const waited = pressure();
  if (waited !== undefined && waited > MOST_PRESSURE) {
    process.stderr.write(`Processes wait for a processor ${waited} % of the time. Measure on an idle machine.\n`);
    process.exitCode = 1;
    return;
  }
  await runProgram(process.execPath, [JEST, '-c', 'jest.speed.config.js', '--runInBand', '--passWithNoTests'], {
    show: true,
    env: { ACERVO_TALLY: 'promises' },
  });
};
