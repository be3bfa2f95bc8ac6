import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loginRoles } from '../bootstrap';
import type { DatabaseConnection } from '../connection';
import { DataDirectoryInUse } from './lock';
import type { ServerOrders, ServerReport } from './pglite-server';
import type { Lane } from './turns';

/** Major version of the PostgreSQL that is embedded: it opens the files of no other one. */
export const ENGINE_MAJOR = 18;

export interface EmbeddedDatabaseOptions {
  readonly directory: string;
  readonly idleInTransactionMs?: number;
  readonly log?: (event: string, details: object) => void;
}

const PING_EVERY_MS = 5_000;
/** Longer than the longest statement that is allowed to stop the world: an index rebuild of a big group. */
const SILENCE_MS = 120_000;

/** The compiled entry: beside this file, or in `dist` when this file runs from its source. */
const entry = (): string => {
  const beside = join(__dirname, 'pglite-server.js');
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', 'embedded', 'pglite-server.js');
};

/**
 * PostgreSQL in a process of its own. Whatever ends that process, it is started again on the same port with the same
 * passwords, so that pools reconnect by themselves; when this process ends, so does the other.
 */
export class EmbeddedDatabase {
  private child: ChildProcess | undefined;
  private stopping = false;
  private heardAt = Date.now();
  private restarts = 0;
  private pinger: NodeJS.Timeout | undefined;
  private readonly passwords = Object.fromEntries(loginRoles().map((role) => [role, randomBytes(24).toString('hex')]));
  private port = 0;

  private constructor(private readonly options: EmbeddedDatabaseOptions) {}

  /** @throws DataDirectoryInUse, or an error with the reason of the engine. */
  static async start(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
    const database = new EmbeddedDatabase(options);
    await database.launch();
    database.pinger = setInterval(() => database.watch(), PING_EVERY_MS);
    database.pinger.unref();
    return database;
  }

  /** Process id of the engine, for tests that kill it. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  connection(role: string, lane: Lane = 'interactive'): DatabaseConnection {
    const password = this.passwords[role];
    if (password === undefined) throw new Error(`There is no database role ${role}; bootstrap creates the known ones.`);
    return { host: '127.0.0.1', port: this.port, database: 'postgres', user: role, password, lane };
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.pinger);
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (child.connected) child.send('stop');
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  }

  private launch(): Promise<void> {
    const child = fork(entry(), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    this.child = child;
    // A message to a process that has just ended; its exit is what counts.
    child.on('error', (error) => this.options.log?.('database-process', { error: String(error) }));
    const orders: ServerOrders = { ...this.options, port: this.port, passwords: this.passwords };
    const { log: _log, ...plain } = orders as ServerOrders & { log?: unknown };
    child.send(plain);
    return new Promise((resolve, reject) => {
      let ready = false;
      child.on('message', (message) => {
        const report = message as ServerReport;
        this.heardAt = Date.now();
        if (report.kind === 'ready') {
          this.port = report.port;
          ready = true;
          resolve();
        } else if (report.kind === 'in-use') reject(new DataDirectoryInUse(this.options.directory, report.pid));
        else if (report.kind === 'failed') {
          this.options.log?.('database-failed', { message: report.message });
          reject(new Error(`The embedded database failed: ${report.message}`));
        } else if (report.kind === 'log') this.options.log?.(report.event, report.details);
      });
      child.on('exit', (code, signal) => {
        if (!ready) reject(new Error(`The embedded database ended with ${signal ?? code} before it was ready.`));
        else if (!this.stopping) void this.restart(code, signal);
      });
    });
  }

  private async restart(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.options.log?.('database-restart', { code, signal, restarts: (this.restarts += 1) });
    for (let attempt = 0; !this.stopping; attempt += 1) {
      try {
        return await this.launch();
      } catch (error) {
        this.options.log?.('database-restart-failed', { error: String(error), attempt });
        await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 100 * 2 ** attempt)));
      }
    }
  }

  private watch(): void {
    if (Date.now() - this.heardAt > SILENCE_MS) this.child?.kill('SIGKILL');
    else if (this.child?.connected === true) this.child.send('ping');
  }
}
