// One engine as a child process that ends with its keeper: started, health-checked, stopped, killed.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gone, identify, lives, signal } from './state.mjs';

const LEASH = fileURLToPath(new URL('leash.sh', import.meta.url));
const START_MS = 120_000;

const tailOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-6).join('\n') : '');

/**
 * @param definition the engine: see the files of `engines`
 * @param context its directory, ports, secrets and installation
 */
export class Engine {
  recorded;
  #leash;
  #ended = true;

  constructor(definition, context, log) {
    Object.assign(this, { definition, context, log });
  }

  get name() {
    return this.definition.name;
  }

  get lives() {
    return lives(this.recorded);
  }

  get variables() {
    return this.definition.variables(this.context);
  }

  /** Resolves when the engine answers, at once if it runs. @throws if it exits before that, with the end of its log */
  async start() {
    if (this.lives) return;
    mkdirSync(this.context.directory, { recursive: true });
    const { command, args, env = {}, signal: name = 'TERM' } = await this.definition.command(this.context);
    const pidfile = join(this.context.directory, 'pid');
    rmSync(pidfile, { force: true });
    this.#spawn([pidfile, name, command, ...args], env);
    const end = Date.now() + START_MS;
    while (!(this.recorded !== undefined && (await this.#answers()))) {
      if (this.#ended || Date.now() > end) {
        await this.stop();
        throw new Error(`${this.name} does not answer. The end of ${this.log}:\n${tailOf(this.log)}`);
      }
      this.recorded ??= this.#identity(pidfile);
      await pause(100);
    }
    await this.definition.ready?.(this.context);
  }

  /** Stops the engine with its own signal. */
  async stop() {
    const { recorded } = this;
    if (recorded !== undefined) signal(recorded, 'SIGCONT');
    this.#leash?.stdio[3]?.end();
    if (recorded !== undefined && !(await gone(recorded, 30_000))) signal(recorded, 'SIGKILL');
    this.recorded = undefined;
  }

  /** Suspends the engine: it keeps its connections and answers nothing. @throws where it has several processes */
  async freeze() {
    if (this.definition.severalProcesses === true) throw new Error(`${this.name} cannot be frozen; stop it.`);
    if (this.definition.pause === undefined) signal(this.recorded, 'SIGSTOP');
    else await this.definition.pause(this.context);
  }

  /** Continues a frozen engine. */
  async thaw() {
    if (this.definition.unpause === undefined) signal(this.recorded, 'SIGCONT');
    else await this.definition.unpause(this.context);
  }

  /** Kills the engine, as a power cut does. */
  async kill() {
    const { recorded } = this;
    if (this.definition.kill === undefined) signal(recorded, 'SIGKILL');
    else await this.definition.kill(this.context);
    if (recorded !== undefined) await gone(recorded, 10_000);
    this.recorded = undefined;
  }

  /** Kills the engine and deletes its data. @throws for an engine without a way to do so */
  async lose() {
    if (!(await this.definition.empty?.(this.context))) throw new Error(`${this.name} cannot be emptied.`);
    await this.kill();
  }

  #spawn(args, env) {
    const log = openSync(this.log, 'a', 0o600);
    // Only the keeper receives the signals of the terminal.
    const options = { detached: true, env: { ...process.env, ...env }, stdio: ['ignore', log, log, 'pipe'] };
    const leash = spawn('sh', [LEASH, ...args], options);
    closeSync(log);
    this.recorded = undefined;
    this.#leash = leash;
    this.#ended = false;
    leash.stdio[3].on('error', () => undefined);
    const over = () => this.#leash === leash && (this.#ended = true);
    leash.once('error', over);
    leash.once('exit', over);
  }

  #identity(pidfile) {
    const pid = existsSync(pidfile) ? Number(readFileSync(pidfile, 'utf8')) : 0;
    return pid > 0 ? identify(pid) : undefined;
  }

  async #answers() {
    try {
      return await this.definition.answers(this.context);
    } catch {
      return false;
    }
  }
}
