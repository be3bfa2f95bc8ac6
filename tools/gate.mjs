#!/usr/bin/env node
// What must pass before a change lands, on a fresh clone: static checks, the suites that the change reaches but the
// nightly ones, the pages in a browser, and the suites on real engines where it reaches them. `.ci/run` starts it.
// Exit codes: 1 a check or a suite failed, 75 a registry does not answer, 76 too many flaky suites.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { reachedSuites, reachOf } from './gate/affected.mjs';
import { fetchAll, RegistryAway } from './gate/fetch.mjs';
import { aloneArguments, JEST, NIGHTLY, ON_ENGINES, runShards, secondsOfEngines, SHARDS } from './gate/shards.mjs';
import { failureOf, GateLog } from './gate/log.mjs';
import { endProcessesOf, machineFactor, RUN_MARK } from './gate/machine.mjs';
import { changedPaths, reasonForEngines } from './gate/reach.mjs';
import { reportLines } from './gate/report.mjs';
import { flakyOf, MOST_FLAKY, rerunFailed } from './gate/rerun.mjs';
import { TOOL_TESTS } from './gate/tool-tests.mjs';
import { root } from './lib/options.mjs';
import { projectFolders } from './lib/projects.mjs';
import { forgetTally, outcomes } from './lib/tally.mjs';
import { EVERYTHING } from './lib/workspace.mjs';

const [FAILED, AWAY, TOO_FLAKY] = [1, 75, 76];
const TSC = 'node_modules/typescript/bin/tsc';

const isWithoutEngines = process.env.ACERVO_WITHOUT_STACK !== undefined;
const log = new GateLog();
/** Blocks of lines on steps that failed; failed suites stand in the tally. */
const problems = [];

/** @throws StepFailed */
const node = (what, args, env) => log.command(what, process.execPath, args, env);

const note = (error) => void (error !== undefined && problems.push([error.message, ...error.tail]));

const build = async () => {
  for (const folder of projectFolders(root)) rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  await node('build', [TSC, '-b', ...EVERYTHING]);
};

/** Checks whose outcome depends on no clock. */
const CHECKS = {
  types: () => node('types', [TSC, '-b', 'tsconfig.specs.json']),
  lint: () => log.command('lint', 'npm', ['run', 'lint']),
  format: () => node('format', ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.']),
  images: () => node('images', ['tools/images.mjs']),
  deploy: () => node('deploy', ['tools/deploy.mjs', '--check', '--cached']),
  tools: () => node('tools', ['--test', ...TOOL_TESTS]),
  generators: () => node('generators', ['tools/generators/check.mjs']),
};

/** Runs the checks, two at a time; returns whether all passed. */
const check = async () => {
  const waiting = Object.entries(CHECKS);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      note(await failureOf(log.step(...next)));
  };
  await Promise.all([work(), work()]);
  return problems.length === 0;
};

/** The choice of the suites that a change reaches; it says how many those are. @param reach undefined: all of them */
const reachedBy = (reach) => (listed) => {
  if (reach === undefined) return listed;
  const reached = reachedSuites(listed, reach);
  const changed = reach.changed.length === 0 ? 'tests, pages and tools' : reach.changed.join(', ');
  log.print(`suites: ${reached.length} of ${listed.length} run, which a change of ${changed} reaches`);
  return reached;
};

/** A step of suites; a failure that no suite explains is a problem of its own. */
const suitesOf = async (what, runs, work) => {
  const error = await failureOf(log.step(what, work));
  if (!outcomes(runs).some(({ failed }) => failed > 0)) note(error);
};

const runEngines = (reason) => {
  if (isWithoutEngines) return log.print('engines: left out, as ACERVO_WITHOUT_STACK asks');
  if (reason === undefined) return log.print('engines: left out, because the change does not reach them');
  log.print(`engines: run because of ${reason}`);
  return suitesOf('engines', ON_ENGINES, () => node('engines', ['tools/stack.mjs', 'test', '--short']));
};

/** @param reason why the suites on engines run; they wait more than they compute, so that they run beside others */
const runSuites = async (paths, reason) => {
  const runOne = (name, args, env) => failureOf(log.step(`suites of ${name}`, () => node(name, args, env)));
  const seconds = reason === undefined ? 0 : secondsOfEngines();
  const afterwards = { seconds, run: () => runEngines(reason) };
  const chosen = reachedBy(await reachOf(paths));
  (await runShards([NIGHTLY], runOne, { chosen, afterwards })).forEach(note);
  await rerunFailed(
    SHARDS,
    (path, name) => failureOf(node('second try', aloneArguments(path), { ACERVO_TALLY: name })),
    (line) => log.print(`  ${line}`),
  );
};

const runBrowser = () =>
  suitesOf('browser', ['browser'], () =>
    node('browser', [JEST, '-c', 'apps/e2e/jest.browser.config.js', '--maxWorkers=1'], { ACERVO_TALLY: 'browser' }),
  );

const runAll = async () => {
  forgetTally();
  const paths = changedPaths();
  const reason = isWithoutEngines ? undefined : reasonForEngines(paths);
  await log.step('fetch', () => fetchAll(log, { engines: reason !== undefined }));
  const unbuilt = await failureOf(log.step('build', build));
  note(unbuilt);
  if (unbuilt !== undefined || !(await check())) return;
  await runSuites(paths, reason);
  await runBrowser();
};

const codeOf = () => {
  const suites = outcomes();
  if (problems.length > 0 || suites.length === 0 || suites.some(({ failed }) => failed > 0)) return FAILED;
  return flakyOf(suites).length > MOST_FLAKY ? TOO_FLAKY : 0;
};

const factor = machineFactor();
const run = randomUUID();
// Nothing is taken from a cache: what does not run here has not passed here.
Object.assign(process.env, {
  ...{ CI: 'true', NX_DAEMON: 'false', NX_TUI: 'false', NX_SKIP_NX_CACHE: 'true' },
  ...{ [RUN_MARK]: run, ACERVO_PATIENCE: String(factor) },
});

let isEnding = false;

/** Says how the run ended, once: a signal ends it while steps still fail. */
const end = async (code) => {
  if (isEnding) return;
  isEnding = true;
  const left = endProcessesOf(run);
  if (left.length > 0) log.print(`Ended ${left.length} processes that were left:\n  ${left.join('\n  ')}`);
  const lines = reportLines({ passed: code === 0, elapsed: log.elapsed, factor, logPath: log.path, problems });
  lines.forEach((line) => log.print(line));
  await log.close();
  process.exit(code);
};

for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    problems.push([`${signal} while these ran: ${log.running.join('; ')}`]);
    void end(FAILED);
  });

log.print(`Full log: ${log.path}`);
try {
  await runAll();
  await end(codeOf());
} catch (error) {
  problems.push((error instanceof RegistryAway ? error.message : error.stack).split('\n'));
  await end(error instanceof RegistryAway ? AWAY : FAILED);
}
