import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';
import { onStack, spawnOwned, WITHOUT_LIMITS } from '@acervo/platform-testing';
import { type Answer, HttpClient } from './http-client';
import { logWatch } from './log-scan';
import { stackEnvironment } from './on-stack';
import { placeCluster } from './prepared-cluster';
import { treeOf, type RunningProcess } from './processes';
import { until } from './waiting';

export const repository = join(__dirname, '..', '..', '..');
export const sample = join(repository, 'samples', 'library');
const main = join(repository, 'apps', 'standalone', 'dist', 'main.js');

/** A temporary folder for one test. */
export const temporary = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'acervo-journey-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
};

export const write = (folder: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (typeof text === 'string') logWatch.addDocument(text);
  }
};

export const copySample = (to: string): void => cpSync(sample, to, { recursive: true });

export { freePort } from './reserved-port';

export interface StartRequest {
  readonly folder: string | null;
  readonly data: string;
  readonly port: number;
  readonly portNamed?: boolean;
  readonly processes?: boolean;
  readonly commands?: readonly AdminCommandRequest[];
  readonly scanOnly?: boolean;
  readonly acceptDeletions?: boolean;
  readonly importFrom?: string;
  readonly restoreFrom?: string;
  readonly embedder?: string;
  /** Longest time until a start answers; an installation of e5 takes longer. */
  readonly readyMs?: number;
  /** Let the start create its database itself, as for a user; otherwise the prepared database is copied. */
  readonly fromNothing?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** A script that starts the product instead of its own main program, and may report a value to this process. */
  readonly entry?: string;
  /** Database roles whose connections this script reports. */
  readonly roles?: readonly string[];
  /** Leaves the limits of requests as they are for a user; suites lift them otherwise. */
  readonly limited?: boolean;
  /** Longest time of an answer. */
  readonly answersWithinMs?: number;
}

/** The last line of the welcome, with its end. */
const WHOLE_WELCOME = /^ {4}-H 'Content-Type.*\n/m;

const reasonOf = (error: unknown): string => {
  const inner = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : '';
  return `${String(error)}${inner}`;
};

/** The program as a user runs it: started, read, called over HTTP, stopped or killed. */
export class Program extends HttpClient {
  /** Environment of the engines, by data directory. */
  private static readonly engines = new Map<string, Readonly<Record<string, string>>>();
  printed = '';
  private readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  private readonly reporting: Promise<unknown>;

  private constructor(
    private readonly request: StartRequest,
    engines: Readonly<Record<string, string>> = {},
  ) {
    super(request);
    const { entry, environment, ...asked } = request;
    const options = { sample, processes: onStack(), scanOnly: false, ...asked };
    logWatch.open(request.data, { ...engines, ...environment });
    this.child = spawnOwned('program', process.execPath, [entry ?? main, JSON.stringify(options)], {
      // Default environment of all tests: nothing is downloaded.
      env: {
        ...(request.limited === true ? {} : WITHOUT_LIMITS),
        ...process.env,
        ACERVO_EMBEDDER: 'hashing',
        ...engines,
        ...environment,
      },
      stdio: entry === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    // A failed test may leave its program running: it does not keep the tests running.
    this.child.unref();
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data: Buffer) => (this.printed += data.toString()));
      (stream as Socket | null)?.unref();
    }
    const exited = new Promise<number | NodeJS.Signals>((resolve) =>
      this.child.once('exit', (code, signal) => resolve(signal ?? code ?? 0)),
    );
    const closed = once(this.child, 'close');
    this.ended = exited.then(async (end) => {
      // The last lines may arrive after the end; a process that it left behind may keep the pipe open.
      if (typeof end === 'number') await Promise.race([closed, pause(2_000, undefined, { ref: false })]);
      // Its directory may be removed as soon as the suite knows of the end.
      logWatch.scan(request.data);
      return end;
    });
    const reported = new Promise((resolve) => this.child.once('message', resolve));
    this.reporting = Promise.race([reported, this.ended.then(() => undefined)]);
  }

  /** Starts the program on the same engines as the previous start on its data directory. */
  static run(request: StartRequest): Program {
    return new Program(request, Program.engines.get(request.data));
  }

  /**
   * Starts the program and waits until it answers.
   * @throws if the first start on a data directory prints no API key
   */
  static async start(request: StartRequest): Promise<Program> {
    const isFirst = request.importFrom === undefined && !existsSync(join(request.data, 'acervo.json'));
    const engines = await stackEnvironment(request.data);
    if (request.importFrom === undefined && request.fromNothing !== true) placeCluster(request.data);
    Program.engines.set(request.data, engines);
    const program = new Program(request, engines);
    try {
      await program.prints(WHOLE_WELCOME, request.readyMs ?? 100_000);
      program.key = /acv_\w+/.exec(program.printed)?.[0] ?? '';
      if (isFirst && program.key === '') throw new Error(`The first start printed no API key:\n${program.printed}`);
    } catch (error) {
      // A suite cannot stop a program that it does not get.
      program.kill();
      throw error;
    }
    logWatch.addSecret('API key', program.key);
    return program;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The processes of the program, with their kinds. */
  get tree(): RunningProcess[] {
    return treeOf(this.pid);
  }

  /** Direct child processes of the program. */
  get children(): number[] {
    return this.tree.filter(({ parent }) => parent === this.pid).map(({ pid }) => pid);
  }

  /** The process of the embedded database. */
  get database(): number {
    return this.tree.find(({ kind }) => kind === 'database')?.pid ?? 0;
  }

  get descendants(): number[] {
    return this.tree.filter(({ kind }) => kind !== 'root').map(({ pid }) => pid);
  }

  /** The value that the script of the start reports; undefined if it ends before. */
  reported(): Promise<unknown> {
    this.child.ref();
    return this.reporting;
  }

  async prints(pattern: RegExp, ms = 60_000): Promise<void> {
    let over = false;
    void this.ended.then(() => (over = true));
    const what = (): string => `"${pattern.source}" in:\n${this.printed.slice(-2_000)}`;
    await until(what, () => pattern.test(this.printed) || over, ms);
    if (!pattern.test(this.printed))
      throw new Error(`The program ended without saying ${pattern.source}:\n${this.printed}`);
  }

  /** Waits until all files found are ingested. */
  done(): Promise<void> {
    return this.prints(/^Done: /m, 120_000);
  }

  /**
   * @throws with what the program printed, if there is no answer. While the program runs, a wait asks again after a
   * refused or broken connection; the error of a program that has ended is final.
   */
  override async send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    try {
      return await super.send(method, path, body, headers);
    } catch (cause) {
      const { exitCode, signalCode } = this.child;
      const runs = exitCode === null && signalCode === null;
      const how = `The program ${runs ? 'runs' : `ended with ${signalCode ?? exitCode}`}`;
      const message = `No answer to ${method} ${path}: ${reasonOf(cause)}. ${how} and printed:\n${this.printed.slice(-2_000)}`;
      throw runs ? new Error(message, { cause }) : new Error(message);
    }
  }

  /** Whether later starts ingest a folder without its name on the command line. */
  remembers(folder: string): boolean {
    const { folders } = JSON.parse(readFileSync(join(this.request.data, 'acervo.json'), 'utf8')) as {
      readonly folders: readonly string[];
    };
    return folders.some((each) => realpathSync(each) === realpathSync(folder));
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Stops the program as Ctrl-C does; returns its exit code. */
  async stop(): Promise<number | NodeJS.Signals> {
    this.child.ref();
    this.child.kill('SIGINT');
    return this.ended;
  }
}
