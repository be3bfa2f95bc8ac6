// Two processes of Jest with one worker each: suites that end programs, and suites of libraries. The others go where
// less is to be done.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../lib/options.mjs';
import { outcomes } from '../lib/tally.mjs';
import { run } from '../lib/workspace.mjs';

export const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
export const SLOW = '\\.slow\\.spec\\.ts$';
export const NIGHTLY = '\\.nightly\\.spec\\.ts$';
export const SHARDS = ['programs', 'libraries'];
/** Runs of suites that need engines: those that share them, and those that end them. */
export const ON_ENGINES = ['stack', 'stack-isolated'];

/** Seconds of a suite without a record: the mean of those that are too short for one. */
const UNKNOWN_S = 1.5;
const TIMES = join(root, 'tools', 'jest', 'times.json');

/** Seconds of each long suite when times were last recorded. */
export const recordedTimes = () => (existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {});

/** Suites that start, kill and move whole programs: never two of them at a time. */
const ENDS_PROGRAMS = /^apps\/(e2e\/faults\/|standalone\/test\/|.*\.slow\.spec\.ts$)/;
/** Other suites of programs share no engine, so that each may run in the shard that has less to do. */
const IS_MOVABLE = /^apps\//;

/**
 * The suites of both shards.
 * @param suites paths from the root; @param times seconds by path
 * @param afterwards seconds of what runs after the suites of programs
 */
export const shardsOf = (suites, times, afterwards = 0) => {
  const secondsOf = (path) => times[path] ?? UNKNOWN_S;
  const total = (paths) => paths.reduce((sum, path) => sum + secondsOf(path), 0);
  const programs = suites.filter((path) => ENDS_PROGRAMS.test(path));
  const libraries = suites.filter((path) => !IS_MOVABLE.test(path));
  const movable = suites.filter((path) => IS_MOVABLE.test(path) && !ENDS_PROGRAMS.test(path));
  for (const path of movable.toSorted((one, other) => secondsOf(other) - secondsOf(one)))
    (total(programs) + afterwards <= total(libraries) ? programs : libraries).push(path);
  return { programs, libraries };
};

/** Seconds of the start of the engines, of their short suites, and of suites that run on the embedded engines as well. */
const OTHERS_ON_ENGINES_S = 600;

/** Seconds of the suites on engines. @param times seconds by path, of suites on engines alone among others */
export const secondsOfEngines = (times = recordedTimes()) =>
  Object.entries(times)
    .filter(([path]) => path.endsWith('.stack.ts'))
    .reduce((sum, [, seconds]) => sum + seconds, OTHERS_ON_ENGINES_S);

/** The arguments of Jest that leave suites out. @param patterns of their paths */
export const without = (patterns) =>
  ['/node_modules/', ...patterns].flatMap((each) => ['--testPathIgnorePatterns', each]);

/** The patterns of what is left out beside suites that run by name. @param named arguments of Jest, paths among them */
export const leftOutBeside = (patterns, named) => {
  const isLeftOut = (path) => patterns.some((pattern) => new RegExp(pattern).test(path));
  const byName = named.filter(isLeftOut).map((path) => path.replaceAll('.', '\\.'));
  return byName.length === 0 ? patterns : patterns.map((pattern) => `^(?!.*(?:${byName.join('|')})$).*${pattern}`);
};

/** Paths of the suites that Jest runs with some arguments. */
export const listSuites = async (args, env = {}) => {
  const listed = await run(process.execPath, [JEST, ...args, '--listTests', '--json'], { env });
  return JSON.parse(listed.split('\n').find((line) => line.startsWith('['))).map((path) => relative(root, path));
};

/**
 * What keeps a shard from being judged by its suites: some did not run, or Jest failed though all have passed.
 * @param suites outcomes of its suites; @param error how its process failed, or undefined
 */
export const shardProblem = (name, listed, suites, error) => {
  const ran = new Set(suites.map(({ path }) => path));
  const missing = listed.filter((path) => !ran.has(path));
  const tail = error?.tail ?? [];
  if (missing.length > 0)
    return { message: `${missing.length} suites of ${name} did not run, ${missing[0]} first`, tail };
  if (error === undefined || suites.some(({ failed }) => failed > 0)) return undefined;
  return { message: error.message, tail };
};

/**
 * Runs suites, and judges the run by those that its tally lacks.
 * @param listed paths of the suites; @param start runs them and answers how that failed, or undefined
 * @returns the problem that no failed suite explains, or undefined
 */
export const runListed = async (name, listed, start) => {
  const error = await start();
  return shardProblem(name, listed, outcomes([name]), error);
};

/** Nothing to do after the suites of programs. */
const NOTHING = { seconds: 0, run: async () => undefined };

/**
 * Runs suites in two shards.
 * @param leftOut patterns of suites that do not run
 * @param node `(name, args, env)` runs Node; it answers how it failed, or undefined
 * @param chosen the suites among some that run
 * @param afterwards what runs after the suites of programs, beside those of libraries: `{ seconds, run }`
 * @returns the problems `{ message, tail }` that no failed suite explains
 */
export const runShards = async (leftOut, node, { chosen = (suites) => suites, afterwards = NOTHING } = {}) => {
  const listed = await listSuites(['-c', 'jest.config.js', ...without(leftOut)]);
  const lists = shardsOf(chosen(listed), recordedTimes(), afterwards.seconds);
  const runShard = async (name) => {
    if (lists[name].length === 0) return undefined;
    const args = [JEST, '-c', 'jest.config.js', '--maxWorkers=1', '--runTestsByPath', ...lists[name]];
    return runListed(name, lists[name], () => node(name, args, { ACERVO_TALLY: name }));
  };
  const ofPrograms = async () => {
    const problem = await runShard('programs');
    await afterwards.run();
    return problem;
  };
  const problems = await Promise.all([ofPrograms(), runShard('libraries')]);
  return problems.filter((problem) => problem !== undefined);
};

/** The arguments of Node that run one suite alone. */
export const aloneArguments = (path) => [JEST, '-c', 'jest.config.js', '--runInBand', '--runTestsByPath', path];
