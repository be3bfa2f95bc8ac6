import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';
import { onStack } from '@acervo/platform-testing';
import { freePort } from '@acervo/standalone/free-port';
import { stackEnvironment } from './on-stack';
import { placeCluster } from './prepared-cluster';
import { assertEnglish } from './english';

export const repository = join(__dirname, '..', '..', '..');
export const sample = join(repository, 'samples', 'library');
const entry = join(repository, 'apps', 'standalone', 'dist', 'main.js');

/** A temporary folder for one test. */
export const temporary = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'acervo-journey-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
};

export const write = (folder: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};

export const copySample = (to: string): void => cpSync(sample, to, { recursive: true });

export { freePort };

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
  readonly embedder?: string;
  /** Longest time until a start answers; an installation of e5 takes longer. */
  readonly readyMs?: number;
  /** Let the start create its database itself, as for a user; otherwise the prepared database is copied. */
  readonly fromNothing?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

const directChildrenOf = (pid: number): number[] => {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = listed
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child ?? 0);
};

const childrenOf = (pid: number): number[] => directChildrenOf(pid).flatMap((child) => [child, ...childrenOf(child)]);

export const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie process still accepts signals.
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
};

export const until = async (what: string, condition: () => Promise<boolean> | boolean, ms = 50_000): Promise<void> => {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${ms} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** The program as a user runs it: started, read, called over HTTP, stopped or killed. */
export class Program {
  /** Environment of the engines, by data directory. */
  private static readonly engines = new Map<string, Readonly<Record<string, string>>>();
  printed = '';
  private readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  key = '';

  private constructor(
    private readonly request: StartRequest,
    engines: Readonly<Record<string, string>> = {},
  ) {
    const options = {
      sample,
      processes: onStack(),
      scanOnly: false,
      ...request,
      environment: undefined,
    };
    this.child = spawn(process.execPath, [entry, JSON.stringify(options)], {
      // Default environment of all tests: nothing is downloaded.
      env: { ...process.env, ACERVO_EMBEDDER: 'hashing', ...engines, ...request.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A failed test may leave its program running: it ends with the tests and does not keep them running.
    this.child.unref();
    const end = (): boolean => this.child.kill('SIGKILL');
    process.once('exit', end);
    this.child.once('exit', () => process.off('exit', end));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data: Buffer) => (this.printed += data.toString()));
      (stream as Socket | null)?.unref();
    }
    this.ended = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve(signal ?? code ?? 0)));
  }

  /** Starts the program on the same engines as the previous start on its data directory. */
  static run(request: StartRequest): Program {
    return new Program(request, Program.engines.get(request.data));
  }

  /** Starts the program and waits until it answers. */
  static async start(request: StartRequest): Promise<Program> {
    const engines = await stackEnvironment(request.data);
    if (request.importFrom === undefined && request.fromNothing !== true) placeCluster(request.data);
    Program.engines.set(request.data, engines);
    const program = new Program(request, engines);
    await program.prints(/Acervo is ready/, request.readyMs ?? 100_000);
    program.key = /acv_\w+/.exec(program.printed)?.[0] ?? '';
    return program;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Direct child processes of the program. */
  get children(): number[] {
    return directChildrenOf(this.pid);
  }

  /** The process of the embedded database. */
  get database(): number {
    const named = (pid: number): boolean =>
      execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('pglite-server');
    return this.children.find(named) ?? 0;
  }

  get descendants(): number[] {
    return childrenOf(this.pid);
  }

  async prints(pattern: RegExp, ms = 60_000): Promise<void> {
    let over = false;
    void this.ended.then(() => (over = true));
    await until(`"${pattern.source}" in:\n${this.printed.slice(-2_000)}`, () => pattern.test(this.printed) || over, ms);
    if (!pattern.test(this.printed))
      throw new Error(`The program ended without saying ${pattern.source}:\n${this.printed}`);
  }

  /** Waits until all files found are ingested. */
  done(): Promise<void> {
    return this.prints(/^Done: /m, 120_000);
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${this.request.port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const { exitCode, signalCode } = this.child;
      const how = `The program ${exitCode === null && signalCode === null ? 'runs' : `ended with ${signalCode ?? exitCode}`}`;
      throw new Error(`No answer to ${method} ${path}. ${how} and said:\n${this.printed.slice(-2_000)}`, {
        cause: error,
      });
    });
    const text = await answer.text();
    assertEnglish(path, answer.status, text);
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
    };
  }

  async search(query: string, more: object = {}): Promise<Found[]> {
    const { status, body } = await this.ask('POST', '/v1/documents/search', { query, ...more });
    if (status !== 200) throw new Error(`The search answered ${status}: ${JSON.stringify(body)}`);
    return body['documents'] as Found[];
  }

  async names(query: string, more: object = {}): Promise<string[]> {
    return (await this.search(query, more)).map(({ name }) => name);
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
    this.child.kill('SIGINT');
    return this.ended;
  }
}

export interface Found {
  readonly code: string;
  readonly name: string;
  readonly location: string;
  readonly rrf_score: number;
  readonly max_similarity: number | null;
  readonly chunks: readonly {
    readonly text: string;
    readonly page: number | null;
    readonly extra: { readonly chunk_number: number; readonly similarity: number | null };
  }[];
}
