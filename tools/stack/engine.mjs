// One engine as a process on a leash: started, waited for, stopped, killed.
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
 * @param definition what the engine is: see the files of `engines`
 * @param context its directory, ports, secrets and what was installed
 */
export class Engine {
  known;
  #leash;
  #ended = true;

  constructor(definition, context, log) {
    Object.assign(this, { definition, context, log });
  }

  get name() {
    return this.definition.name;
  }

  get lives() {
    return lives(this.known);
  }

  get variables() {
    return this.definition.variables(this.context);
  }

  /** Resolves when it answers, at once where it runs. @throws when it ends before that, with the end of its log. */
  async start() {
    if (this.lives) return;
    mkdirSync(this.context.directory, { recursive: true });
    const { command, args, env = {}, signal: name = 'TERM' } = await this.definition.command(this.context);
    const pidfile = join(this.context.directory, 'pid');
    rmSync(pidfile, { force: true });
    this.#spawn([pidfile, name, command, ...args], env);
    const end = Date.now() + START_MS;
    while (!(this.known !== undefined && (await this.#answers()))) {
      if (this.#ended || Date.now() > end) {
        await this.stop();
        throw new Error(`${this.name} does not answer. The end of ${this.log}:\n${tailOf(this.log)}`);
      }
      this.known ??= this.#identity(pidfile);
      await pause(100);
    }
    await this.definition.ready?.(this.context);
  }

  /** Ends it as it wants to be ended. */
  async stop() {
    const { known } = this;
    this.#leash?.stdio[3]?.end();
    if (known !== undefined && !(await gone(known, 30_000))) signal(known, 'SIGKILL');
    this.known = undefined;
  }

  /** Ends it as a power cut does. */
  async kill() {
    const { known } = this;
    if (this.definition.kill === undefined) signal(known, 'SIGKILL');
    else await this.definition.kill(this.context);
    if (known !== undefined) await gone(known, 10_000);
    this.known = undefined;
  }

  /** Ends it as a power cut does, with nothing of what it kept left. @throws where there is no way to do so */
  async lose() {
    if (!(await this.definition.empty?.(this.context))) throw new Error(`${this.name} cannot be emptied.`);
    await this.kill();
  }

  #spawn(args, env) {
    const log = openSync(this.log, 'a', 0o600);
    // The terminal's signals go to the keeper alone.
    const options = { detached: true, env: { ...process.env, ...env }, stdio: ['ignore', log, log, 'pipe'] };
    const leash = spawn('sh', [LEASH, ...args], options);
    closeSync(log);
    this.known = undefined;
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
