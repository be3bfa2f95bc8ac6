import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Terminal } from '../src';

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

interface Received {
  readonly route: string;
  readonly key: string;
  readonly body: unknown;
}

/** A small service: replies by route, in order; the last one repeats. */
export class Service {
  readonly received: Received[] = [];
  private readonly replies = new Map<string, Reply[]>();
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const route = `${request.method} ${request.url}`;
      const text = Buffer.concat(parts).toString();
      const key = request.headers.authorization ?? '';
      this.received.push({ route, key, body: text === '' ? undefined : (JSON.parse(text) as unknown) });
      const queue = this.replies.get(route) ?? [];
      const { status = 200, body } = (queue.length > 1 ? queue.shift() : queue[0]) ?? {
        ...{ status: 404, body: { code: 'NOT_FOUND', message: 'Not found.', details: {}, request_id: 'r-404' } },
      };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });

  static async start(): Promise<Service> {
    const service = new Service();
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  on(route: string, ...bodies: unknown[]): void {
    this.replies.set(
      route,
      bodies.map((body) => ({ body })),
    );
  }

  fails(route: string, status: number, code: string, details: object = {}): void {
    this.replies.set(route, [{ status, body: { code, message: 'Sentence.', details, request_id: 'r-1' } }]);
  }

  forget(): void {
    this.received.length = 0;
    this.replies.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** What one command printed and how it ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly opened: readonly string[];
  readonly secrets: readonly string[];
}

export interface Situation {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isInteractive?: boolean;
  readonly columns?: number;
  /** Answer to a question. */
  readonly answer?: string;
  /** What is typed without being shown. */
  readonly secret?: string;
  readonly input?: string;
}

/** A user at a terminal, with a settings folder of its own. */
export class User {
  readonly settingsFolder = mkdtempSync(join(tmpdir(), 'acervo-cli-'));

  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  async runs(line: string | readonly string[], situation: Situation = {}): Promise<Ended> {
    const written = { out: '', err: '', opened: [] as string[], secrets: [] as string[] };
    const { isInteractive = false, columns = 100, answer = '', secret = '', input = '' } = situation;
    const terminal: Terminal = {
      ...{ settingsFolder: this.settingsFolder, isInteractive, columns },
      environment: { ...this.environment, ...situation.environment },
      print: (text) => void (written.out += text),
      printError: (text) => void (written.err += text),
      progress: (text) => void (written.err += `${text}\n`),
      askSecret: (question) => Promise.resolve((written.secrets.push(question), secret)),
      ask: (question) => Promise.resolve(((written.out += question), answer)),
      readInput: () => Promise.resolve(input),
      open: (target) => Promise.resolve(void written.opened.push(target)),
      pause: () => Promise.resolve(),
    };
    const args = typeof line === 'string' ? line.split(' ') : line;
    return { code: await runCommand(args, terminal, '1.2.3'), ...written };
  }

  leave(): void {
    rmSync(this.settingsFolder, { recursive: true, force: true });
  }
}
