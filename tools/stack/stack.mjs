// A stack for its commands: started, queried and stopped from any process.
import { fork } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeContainers } from './docker.mjs';
import { dockerRuns } from './find.mjs';
import { placeOf, Refused } from './place.mjs';
import { gone, lives, readState, signal } from './state.mjs';

const KEEPER = fileURLToPath(new URL('keeper.mjs', import.meta.url));

export class Stack {
  constructor(directory) {
    this.place = placeOf(directory);
  }

  get state() {
    return readState(this.place.state);
  }

  get runs() {
    return lives(this.state?.keeper);
  }

  /**
   * Starts the engines and waits until each answers.
   * @param how docker or local: in containers, or from package registries
   * @param tied whether they end with this process; otherwise they run until `down`
   * @throws Refused with every engine that is unavailable or does not answer
   */
  async up({ wanted, print, how = dockerRuns() ? 'docker' : 'local', tied = false }) {
    if (this.runs) throw new Refused(`A stack runs in ${this.place.path} already; "npm run stack -- down" stops it.`);
    mkdirSync(this.place.logs, { recursive: true });
    const log = openSync(join(this.place.logs, 'keeper.log'), 'a', 0o600);
    const request = JSON.stringify({ directory: this.place.path, wanted, how });
    const keeper = fork(KEEPER, [request], { detached: true, stdio: ['ignore', log, log, 'ipc'], execArgv: [] });
    closeSync(log);
    await new Promise((resolve, reject) => {
      keeper.on('message', ({ kind, text, problems }) => {
        if (kind === 'say') print(text);
        if (kind === 'ready') resolve();
        if (kind === 'failed') reject(new Refused(problems.join('\n')));
      });
      keeper.once('error', reject);
      keeper.once('exit', (code) => reject(new Refused(`The stack ended with ${code}; see ${this.place.logs}.`)));
    });
    if (!tied) {
      keeper.send('released');
      keeper.disconnect();
    }
    keeper.unref();
    keeper.channel?.unref();
  }

  /** Stops every process of the state that is still the same process. */
  async down({ remove = false } = {}) {
    const { state } = this;
    if (state === undefined) return false;
    const ran = signal(state.keeper, 'SIGTERM');
    await gone(state.keeper, 60_000);
    for (const engine of Object.values(this.state?.engines ?? {})) {
      if (!signal(engine ?? undefined, 'SIGTERM')) continue;
      if (!(await gone(engine, 10_000))) signal(engine, 'SIGKILL');
    }
    if (remove) await this.remove();
    return ran;
  }

  /** Deletes the data of a stopped stack. */
  async remove() {
    if (this.state?.how === 'docker') await removeContainers(this.place.path);
    if (existsSync(this.place.state)) rmSync(this.place.path, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Kills, stops, starts or restarts one engine. @throws Refused */
  async act(engine, action) {
    const { keeper } = this.state ?? {};
    if (!this.runs) throw new Refused(`No stack runs in ${this.place.path}.`);
    const url = `http://127.0.0.1:${keeper.port}/${engine}/${action}`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization: keeper.token } });
    if (!answer.ok) throw new Refused(await answer.text());
  }
}
