// The full log of a run, outside of the clone, and the few lines that the terminal shows.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';
import { withoutColours } from './failures.mjs';

const MOST_LOGS = 20;
/** Lines that a failed step repeats from the end of what it printed. */
const TAIL = 25;
/** A suite that takes longer gets a line. */
const LONG_S = 20;

/** The first folder that can be written: a machine may have no home. */
const logFolder = () => {
  const named = process.env.ACERVO_CI_LOGS;
  for (const folder of [...(named === undefined ? [] : [named]), join(homedir(), '.acervo-ci')])
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // The next one.
    }
  return mkdtempSync(join(tmpdir(), 'acervo-ci-'));
};

const openLog = () => {
  const folder = logFolder();
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  // Their names begin with the time.
  for (const name of logs
    .toSorted()
    .reverse()
    .slice(MOST_LOGS - 1))
    rmSync(join(folder, name));
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout?.trim();
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return join(folder, `${time}-${commit || 'unknown'}.log`);
};

const minutes = (ms) => `${(ms / 60_000).toFixed(1)} min`;

/** A command that ended with another code than 0. */
export class StepFailed extends Error {
  constructor(what, code, tail) {
    super(`${what} ended with ${code}`);
    [this.what, this.code, this.tail] = [what, code, tail];
  }
}

/** The failure of a command, which does not end the run; undefined where it passed. */
export const failureOf = (work) =>
  work.then(
    () => undefined,
    (error) => {
      if (error instanceof StepFailed) return error;
      throw error;
    },
  );

/**
 * The line of a suite that failed or was long; undefined for other lines of Jest, which prints no time of a short suite.
 */
export const suiteLine = (line) => {
  const [, outcome, suite, seconds] = /^(PASS|FAIL) \S+ (\S+)(?: \((\d+)[.\d]* s\))?$/.exec(line.trimEnd()) ?? [];
  if (outcome === undefined || (outcome === 'PASS' && Number(seconds ?? 0) < LONG_S)) return undefined;
  return `  ${outcome.toLowerCase()} ${suite}${seconds === undefined ? '' : ` ${seconds} s`}`;
};

/** Runs steps, each with its output in the log and one line on the terminal. */
export class GateLog {
  path = openLog();
  #file = createWriteStream(this.path, { flags: 'a' });
  #running = new Map();
  #began = Date.now();

  /** A line on the terminal and in the log. */
  print(line) {
    process.stdout.write(`${line}\n`);
    this.#file.write(`${line}\n`);
  }

  get elapsed() {
    return minutes(Date.now() - this.#began);
  }

  /** The steps that run now, with their seconds. */
  get running() {
    return [...this.#running].map(([what, since]) => `${what} since ${((Date.now() - since) / 1_000).toFixed(0)} s`);
  }

  /** Runs work as a step; its time and outcome are one line. */
  async step(what, work) {
    const began = Date.now();
    this.#running.set(what, began);
    try {
      const value = await work();
      this.print(`${what.padEnd(28)} ${minutes(Date.now() - began)}`);
      return value;
    } catch (error) {
      this.print(`${what.padEnd(28)} ${minutes(Date.now() - began)}  FAILED`);
      throw error;
    } finally {
      this.#running.delete(what);
    }
  }

  /** Runs a command; its output goes to the log. @throws StepFailed with the last lines of the output */
  command(what, command, args, env = {}) {
    this.#file.write(`\n$ ${command} ${args.join(' ').slice(0, 300)}\n`);
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const tail = [];
    const printed = new Set();
    const take = this.#lineTaker((coloured) => {
      const line = withoutColours(coloured);
      if (line.trim() !== '') tail.push(line);
      if (tail.length > TAIL) tail.shift();
      const shown = suiteLine(line);
      // Jest repeats the lines of failed suites at its end.
      if (shown === undefined || printed.has(shown)) return;
      printed.add(shown);
      process.stdout.write(`${shown}\n`);
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', take);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) =>
        code === 0 ? resolve() : reject(new StepFailed(what, signal ?? code, tail)),
      );
    });
  }

  #lineTaker(onLine) {
    let rest = '';
    return (data) => {
      this.#file.write(data);
      const lines = `${rest}${data}`.split('\n');
      rest = lines.pop();
      lines.forEach(onLine);
    };
  }

  close() {
    return new Promise((resolve) => this.#file.end(resolve));
  }
}
