#!/usr/bin/env node
// Runs the suites of the gate again and again on one commit: node tools/gate-trial.mjs [--rounds N] [--busy N]. The
// last N rounds have a busy loop beside them. Prints what each round took, and what failed or was flaky.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { aloneArguments, SHARDS, NIGHTLY, runShards } from './gate/shards.mjs';
import { failureOf, GateLog } from './gate/log.mjs';
import { machineFactor } from './gate/machine.mjs';
import { reportLines } from './gate/report.mjs';
import { flakyOf, rerunFailed } from './gate/rerun.mjs';
import { forgetTally, outcomes } from './lib/tally.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, busy: { type: 'string', default: '1' } },
});
const [rounds, busy] = [Number(values.rounds), Number(values.busy)];

const log = new GateLog();
const node = (what, args, env) => failureOf(log.command(what, process.execPath, args, env));

const runRound = async () => {
  forgetTally();
  const unexplained = await runShards([NIGHTLY], (name, args, env) => log.step(name, () => node(name, args, env)));
  const again = (path, name) => node('second try', aloneArguments(path), { ACERVO_TALLY: name });
  const passed = (await rerunFailed(SHARDS, again, (line) => log.print(line))) && unexplained.length === 0;
  return { passed, problems: unexplained.map((error) => [error.message, ...error.tail]) };
};

let failed = 0;
for (let round = 1; round <= rounds; round += 1) {
  const isBusy = round > rounds - busy;
  const loop = isBusy ? spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }) : undefined;
  const factor = machineFactor();
  process.env.ACERVO_PATIENCE = String(factor);
  log.print(`round ${round} of ${rounds}${isBusy ? ', beside a busy loop' : ''}`);
  const { passed, problems } = await runRound();
  loop?.kill('SIGKILL');
  reportLines({ passed, elapsed: log.elapsed, factor, logPath: log.path, problems }).forEach((line) => log.print(line));
  log.print(`round ${round}: ${passed ? 'passed' : 'failed'}, ${flakyOf(outcomes()).length} flaky suites`);
  failed += passed ? 0 : 1;
}
log.print(`${rounds - failed} of ${rounds} rounds passed.`);
await log.close();
process.exitCode = failed === 0 ? 0 : 1;
