// An installation of several processes that a bench may kill. It restarts when its root ends.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Rows } from './rows.mjs';
import { treeOf } from './process-tree.mjs';

const entry = fileURLToPath(new URL('./root.mjs', import.meta.url));
const ROLES = ['ingestion_app', 'retrieval_app'];
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats `work` until it succeeds, even if the installation goes away meanwhile. */
export const retryUntilAvailable = async (what, work, ms = 900_000) => {
  const end = Date.now() + ms;
  for (;;) {
    try {
      const answer = await work();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    if (Date.now() > end) throw new Error(`${what} did not happen within ${ms / 1000} s.`);
    await pause(200);
  }
};

export class Killable {
  printed = [];
  /** Called at the end of the root; returns the failpoints of its next life. */
  onRootEnd = () => undefined;

  constructor({ folder, data, port }) {
    this.port = port;
    this.options = {
      folder,
      sample: folder,
      data,
      port,
      processes: true,
      commands: [{ name: 'new-key' }],
      scanOnly: false,
    };
  }

  /** Starts the root and waits until it serves; a root that exits earlier is started again. */
  async start(failpoint) {
    const embedder = { ACERVO_EMBEDDER: 'hashing' };
    const environment = { administrator: 'admin@acervo.local', mail: {}, logLevel: 'warn', failpoint, embedder };
    const request = JSON.stringify({ options: this.options, environment, roles: ROLES });
    const child = fork(entry, [request], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.child = child;
    const ready = await new Promise((resolve) => {
      child.on('message', ({ printed, ready: value }) =>
        value === undefined ? this.printed.push(printed) : resolve(value),
      );
      child.once('exit', () => resolve(undefined));
    });
    if (ready === undefined || child.signalCode !== null) return this.start(this.onRootEnd());
    child.once('exit', () => this.ended(child));
    this.apiKey = ready.apiKey;
    const { groupId, connections } = ready;
    [this.ingestion, this.retrieval] = ROLES.map((role) => new Rows(connections[role], groupId));
  }

  ended(child) {
    if (this.stopping || this.child !== child) return;
    this.restarting = this.start(this.onRootEnd());
  }

  /** The current processes of the installation. */
  get tree() {
    return treeOf(this.child.pid);
  }

  async ask(method, path, body) {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const answered = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}.`);
    return answered;
  }

  search(query, more = {}) {
    return this.ask('POST', '/v1/documents/search', { query, ...more });
  }

  async stop() {
    this.stopping = true;
    await this.restarting;
    await Promise.all([this.ingestion, this.retrieval].map((rows) => rows?.close()));
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}
