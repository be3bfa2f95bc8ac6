import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exponential, pause, Periodic } from '@acervo/platform-resilience';
import { loginRoles } from '../bootstrap';
import type { ConnectionPriority, DatabaseConnection } from '../connection';
import { DataDirectoryInUse } from './lock';
import type { ServerOrder, ServerReport } from './pglite-server';
import { type EngineRuns, runsSince } from './shared-session';
import { SOCKET_PORT, socketPlaceOf } from './socket-place';

export interface EmbeddedDatabaseOptions {
  readonly directory: string;
  /** A process that already opens this directory, for the first start of the engine. */
  readonly process?: DatabaseProcess;
  readonly idleInTransactionMs?: number;
  readonly log?: (event: string, details: object) => void;
  /** Hears every few seconds how often the engine ran since the last time, across restarts of its process. */
  readonly onRuns?: (increase: EngineRuns) => void;
}

/** The copy of a database: the moment that it shows, in milliseconds of the epoch, and how long statements waited. */
export interface DatabaseCopy {
  readonly at: number;
  readonly pausedMs: number;
}

const PING_EVERY_MS = 5_000;
/** Longer than the longest blocking statement: an index rebuild of a large group. */
const SILENCE_MS = 120_000;
/** Wait before a restart after a failed start; it doubles from there. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const LONGEST_STOP_MS = 10_000;

/** The compiled entry: beside this file, or in `dist` when this file runs from its source. */
const entry = (): string => {
  const beside = join(__dirname, 'pglite-server.js');
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', 'embedded', 'pglite-server.js');
};

const sendTo = (child: ChildProcess, order: ServerOrder): void => {
  if (child.connected) child.send(order);
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Ends a database process in order; one that does not end is killed. */
const end = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  sendTo(child, { kind: 'stop' });
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP_MS);
  await ended;
  clearTimeout(timer);
};

/** The process of an embedded database that opens its data files, while its parent does other work. */
export class DatabaseProcess {
  /** Reports that arrived before the first listener. */
  private readonly early: ServerReport[] = [];
  private readonly keep = (report: ServerReport): void => void this.early.push(report);

  private constructor(readonly child: ChildProcess) {
    child.on('message', this.keep);
    // Caused by a message to a process that has just ended; its exit is handled elsewhere.
    child.on('error', () => undefined);
  }

  static open(directory: string): DatabaseProcess {
    const child = fork(entry(), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    sendTo(child, { kind: 'open', directory });
    return new DatabaseProcess(child);
  }

  /** Passes every report to the listener, also those that arrived already. */
  hear(listener: (report: ServerReport) => void): void {
    this.child.off('message', this.keep);
    this.early.splice(0).forEach(listener);
    this.child.on('message', listener);
  }

  stop(): Promise<void> {
    return end(this.child);
  }
}

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
  private readonly pings = new Periodic(() => this.watch(), { everyMs: PING_EVERY_MS });
  private readonly passwords = Object.fromEntries(loginRoles().map((role) => [role, randomBytes(24).toString('hex')]));
  private port = 0;
  private readonly socket;
  private answered: ((runs: EngineRuns) => void)[] = [];
  private copying: { copied: (copy: DatabaseCopy) => void; failed: (reason: Error) => void } | undefined;

  private constructor(private readonly options: EmbeddedDatabaseOptions) {
    this.socket = socketPlaceOf(options.directory);
  }

  /** @throws DataDirectoryInUse, or an error with the reason that the engine reports. */
  static async start(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
    const database = new EmbeddedDatabase(options);
    await database.launch(options.process);
    database.pings.start();
    return database;
  }

  /** Process id of the engine, for tests that kill it. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Where a role logs in: on the Unix socket, for programs of this user; on loopback where there is none. */
  connection(role: string, priority: ConnectionPriority = 'interactive'): DatabaseConnection {
    const onLoopback = this.loopback(role, priority);
    return this.socket === undefined ? onLoopback : { ...onLoopback, host: this.socket.directory, port: SOCKET_PORT };
  }

  /** The same on loopback, for tools without Unix sockets. */
  loopback(role: string, priority: ConnectionPriority = 'interactive'): DatabaseConnection {
    const password = this.passwords[role];
    if (password === undefined) throw new Error(`There is no database role ${role}; bootstrap creates the known ones.`);
    return { host: '127.0.0.1', port: this.port, database: 'postgres', user: role, password, priority };
  }

  /** How often the engine ran since its process started; waits for a process that is restarted. */
  runs(): Promise<EngineRuns> {
    return new Promise((resolve) => {
      this.answered.push(resolve);
      if (this.child !== undefined) sendTo(this.child, { kind: 'ping' });
    });
  }

  /**
   * Copies the data files as of one moment into a directory that does not exist; statements wait meanwhile.
   * @throws where another copy is under way, the disk is full, or the engine ends or is between two starts
   */
  async copyInto(into: string): Promise<DatabaseCopy> {
    const { child } = this;
    if (this.copying !== undefined) throw new Error('Another copy of the database is under way.');
    // No report of a process that has ended would settle the copy.
    if (child === undefined || !child.connected || hasEnded(child))
      throw new Error('The embedded database is restarting, so nothing was copied. Repeat the command in a minute.');
    try {
      return await new Promise<DatabaseCopy>((copied, failed) => {
        this.copying = { copied, failed };
        sendTo(child, { kind: 'copy', into });
      });
    } finally {
      this.copying = undefined;
    }
  }

  /** Ends the engine at once, as a crash of this process does. */
  kill(): void {
    this.stopping = true;
    this.child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    void this.pings.stop();
    if (this.child !== undefined) await end(this.child);
    this.socket?.remove();
  }

  /** Lets this process end while the engine runs; the engine ends with it. */
  unref(): void {
    this.isUnreferenced = true;
    this.child?.unref();
    this.child?.channel?.unref();
  }

  private launch(begun = DatabaseProcess.open(this.options.directory)): Promise<void> {
    const { child } = begun;
    this.child = child;
    const { idleInTransactionMs } = this.options;
    sendTo(child, {
      ...{ kind: 'serve', port: this.port, passwords: this.passwords },
      ...(this.socket === undefined ? {} : { socket: this.socket.path }),
      ...(idleInTransactionMs === undefined ? {} : { idleInTransactionMs }),
    });
    return new Promise((resolve, reject) => {
      let ready = false;
      let before: EngineRuns | undefined;
      const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (!ready) reject(new Error(`The embedded database ended with ${signal ?? code} before it was ready.`));
        else if (!this.stopping) void this.restart(code, signal);
        this.copying?.failed(new Error('The embedded database ended while it was copied.'));
      };
      begun.hear((report) => {
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
        } else if (report.kind === 'pong' && report.runs !== undefined) {
          this.options.onRuns?.(runsSince(before, report.runs));
          before = report.runs;
          for (const resolve of this.answered.splice(0)) resolve(report.runs);
        } else if (report.kind === 'copied') this.copying?.copied({ at: report.at, pausedMs: report.pausedMs });
        else if (report.kind === 'not-copied')
          this.copying?.failed(new Error(`The embedded database could not be copied: ${report.message}`));
        else if (report.kind === 'log') this.options.log?.(report.event, report.details);
      });
      if (hasEnded(child)) ended(child.exitCode, child.signalCode);
      else child.on('exit', ended);
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
    else if (this.child !== undefined) sendTo(this.child, { kind: 'ping' });
  }
}
