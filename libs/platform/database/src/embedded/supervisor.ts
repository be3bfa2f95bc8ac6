import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exponential, pause } from '@acervo/platform-resilience';
import { loginRoles } from '../bootstrap';
import type { DatabaseConnection } from '../connection';
import { DataDirectoryInUse } from './lock';
import type { ServerOrders, ServerReport } from './pglite-server';
import type { ConnectionPriority } from './session-scheduler';

/** Major version of the embedded PostgreSQL: it opens data files of this version only. */
export const ENGINE_MAJOR = 18;

export interface EmbeddedDatabaseOptions {
  readonly directory: string;
  readonly idleInTransactionMs?: number;
  readonly log?: (event: string, details: object) => void;
}

const PING_EVERY_MS = 5_000;
/** Longer than the longest blocking statement: an index rebuild of a large group. */
const SILENCE_MS = 120_000;
/** Wait before a restart after a failed start; it doubles from there. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** The compiled entry: beside this file, or in `dist` when this file runs from its source. */
const entry = (): string => {
  const beside = join(__dirname, 'pglite-server.js');
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', 'embedded', 'pglite-server.js');
};

/**
 * PostgreSQL in a process of its own. After any end of that process it is restarted on the same port with the same
 * passwords, so that pools reconnect. When this process ends, so does the other.
 */
export class EmbeddedDatabase {
  private child: ChildProcess | undefined;
  private stopping = false;
  private isUnreferenced = false;
  private heardAt = performance.now();
  private restarts = 0;
  private pinger: NodeJS.Timeout | undefined;
  private readonly passwords = Object.fromEntries(loginRoles().map((role) => [role, randomBytes(24).toString('hex')]));
  private port = 0;

  private constructor(private readonly options: EmbeddedDatabaseOptions) {}

  /** @throws DataDirectoryInUse, or an error with the reason that the engine reports. */
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

  connection(role: string, priority: ConnectionPriority = 'interactive'): DatabaseConnection {
    const password = this.passwords[role];
    if (password === undefined) throw new Error(`There is no database role ${role}; bootstrap creates the known ones.`);
    return { host: '127.0.0.1', port: this.port, database: 'postgres', user: role, password, priority };
  }

  /** Ends the engine at once, as a crash of this process does. */
  kill(): void {
    this.stopping = true;
    this.child?.kill('SIGKILL');
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

  /** Lets this process end while the engine runs; the engine ends with it. */
  unref(): void {
    this.isUnreferenced = true;
    this.child?.unref();
    this.child?.channel?.unref();
  }

  private launch(): Promise<void> {
    const child = fork(entry(), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    this.child = child;
    // Caused by a message to a process that has just ended; its exit is handled elsewhere.
    child.on('error', (error) => this.options.log?.('database-process', { error: String(error) }));
    const orders: ServerOrders = { ...this.options, port: this.port, passwords: this.passwords };
    const { log: _log, ...sendable } = orders as ServerOrders & { log?: unknown };
    child.send(sendable);
    return new Promise((resolve, reject) => {
      let ready = false;
      child.on('message', (message) => {
        const report = message as ServerReport;
        this.heardAt = performance.now();
        if (report.kind === 'ready') {
          this.port = report.port;
          ready = true;
          if (this.isUnreferenced) this.unref();
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
        await pause(exponential(attempt + 1, FIRST_WAIT_MS, LONGEST_WAIT_MS));
      }
    }
  }

  private watch(): void {
    if (performance.now() - this.heardAt > SILENCE_MS) this.child?.kill('SIGKILL');
    else if (this.child?.connected === true) this.child.send('ping');
  }
}
