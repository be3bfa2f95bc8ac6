// Promises about milliseconds, ratios and percentiles (*.speed.ts). They hold for an idle machine, and run alone.
import { JEST } from '../gate/shards.mjs';
import { pressure, pressureFalls } from '../gate/machine.mjs';
import { run as runProgram } from '../lib/workspace.mjs';

/** Percent of ten seconds in which a process waited for a processor: with more, figures tell about the machine. */
const MOST_PRESSURE = 5;

/** Engines that ran before take a while to end. */
const FALLS_WITHIN_MS = 120_000;

export const run = async () => {
  if (!(await pressureFalls(MOST_PRESSURE, { withinMs: FALLS_WITHIN_MS }))) {
    process.stderr.write(`Processes wait for a processor ${pressure()} % of the time. Measure on an idle machine.\n`);
    process.exitCode = 1;
    return;
  }
  await runProgram(process.execPath, [JEST, '-c', 'jest.speed.config.js', '--runInBand'], {
    show: true,
    env: { ACERVO_TALLY: 'promises' },
  });
};
