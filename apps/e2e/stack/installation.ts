import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@acervo/contracts';
import { Database, ownerRole } from '@acervo/platform-database';
import { type Standalone, startEnvironment, startStandalone } from '@acervo/standalone';
import { stackEnvironment } from '../harness/on-stack';
import { assertEnglish } from '../harness/english';
import { type Answer, type Found, freePort } from '../harness/program';

export interface InstallationRequest {
  readonly folder: string;
  readonly data: string;
  readonly replicas?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** All services in their own processes on the engines of the stack, used over HTTP and inspected directly. */
export class Installation {
  private readonly databases = new Map<ServiceName, Database>();
  readonly scope: { readonly groupId: string };

  private constructor(
    readonly running: Standalone,
    readonly engines: Readonly<Record<string, string>>,
    private readonly data: string,
  ) {
    this.scope = { groupId: running.group.groupId };
  }

  static async start(request: InstallationRequest): Promise<Installation> {
    const { folder, data, replicas = 1, environment = {} } = request;
    const engines = await stackEnvironment(data);
    const requested = { ACERVO_REPLICAS: String(replicas), ACERVO_LOG_LEVEL: 'warn', ACERVO_EMBEDDER: 'hashing' };
    const options = {
      ...{ folder, sample: folder, data, port: await freePort(), processes: true },
      ...{ scanOnly: false, acceptDeletions: false },
    };
    const started = startEnvironment({ ...engines, ...requested, ...environment });
    return new Installation(await startStandalone(options, started, () => undefined), engines, data);
  }

  /** The process ids of one service. */
  processesOf(service: string): number[] {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
    const program = new RegExp(`apps/${service}(-service|-executor)?/|${service}(-service|-executor)?-app`);
    return lines.flatMap((line) => {
      const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(parent) === process.pid && program.test(args) ? [Number(pid)] : [];
    });
  }

  async ask(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${this.running.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.running.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    assertEnglish(path, answer.status, text);
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text) as Record<string, unknown> };
  }

  /** @throws if the answer is no list of documents */
  async search(query: string, more: object = {}): Promise<Found[]> {
    const { status, body } = await this.ask('POST', '/v1/documents/search', { query, ...more });
    if (status !== 200) throw new Error(`The search answered ${status}: ${JSON.stringify(body)}`);
    return body['documents'] as Found[];
  }

  /** Rows of a query on the tables of a service; the group is the first parameter. */
  rows<R extends object>(service: ServiceName, sql: string, params: readonly unknown[] = []): Promise<R[]> {
    return this.databaseOf(service).read(this.scope, (tx) => tx.query<R>(sql, [this.scope.groupId, ...params]));
  }

  /** Changes tables without their service; the group is the first parameter. Returns the rows. */
  change<R extends object>(service: ServiceName, sql: string, params: readonly unknown[] = []): Promise<R[]> {
    return this.databaseOf(service).write(this.scope, (tx) => tx.query<R>(sql, [this.scope.groupId, ...params]));
  }

  /** The metrics of all services. */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.running.internalPort}/metrics`)).text();
  }

  get log(): string {
    return readFileSync(join(this.data, 'logs', 'acervo.log'), 'utf8');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.databases.values()].map((each) => each.close()));
    await this.running.stop();
  }

  private databaseOf(service: ServiceName): Database {
    const opened = this.databases.get(service);
    if (opened !== undefined) return opened;
    const database = new Database({ ...this.running.connection(ownerRole(service)), max: 1 });
    this.databases.set(service, database);
    return database;
  }
}
