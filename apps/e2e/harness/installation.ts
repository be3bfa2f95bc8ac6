import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExplainRequest, Explanation, ServiceName } from '@acervo/contracts';
import { ownerRole } from '@acervo/platform-database';
import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';
import { WITHOUT_LIMITS } from '@acervo/platform-testing';
import { type Standalone, startEnvironment, startStandalone } from '@acervo/standalone';
import { HttpClient } from './http-client';
import { logWatch } from './log-scan';
import { stackEnvironment } from './on-stack';
import { placeCluster } from './prepared-cluster';
import { treeOf } from './processes';
import { freePort } from './reserved-port';
import { Tables } from './tables';
import { until } from './waiting';

export interface InstallationRequest {
  readonly folder: string;
  readonly data: string;
  readonly port?: number;
  /** Whether each service runs in processes of its own, which is the default. */
  readonly processes?: boolean;
  readonly replicas?: number;
  readonly commands?: readonly AdminCommandRequest[];
  readonly scanOnly?: boolean;
  /** A backup that the data directory is made from, and what opens it. */
  readonly restoreFrom?: string;
  readonly passphrase?: string;
  /** The embedder by name; null leaves the choice to the product and the environment. */
  readonly embedder?: string | null | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Variables that a start does not read itself, for every service. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly print?: (line: string) => void;
}

/** The variables of a start that are the same in most tests. */
const defaults = ({ replicas = 1, embedder }: InstallationRequest): Record<string, string> => ({
  ...{ ...WITHOUT_LIMITS, ACERVO_REPLICAS: String(replicas), ACERVO_LOG_LEVEL: 'warn' },
  // Nothing is downloaded.
  ...(embedder === undefined ? { ACERVO_EMBEDDER: 'hashing' } : {}),
});

/** The product started by this process, on the engines of the stack if there is one, used over HTTP and inspected. */
export class Installation extends HttpClient {
  readonly scope: { readonly groupId: string };
  private readonly tables: Tables;

  private constructor(
    readonly running: Standalone,
    readonly engines: Readonly<Record<string, string>>,
    private readonly data: string,
  ) {
    super({ port: running.port, key: running.apiKey ?? '', answersWithinMs: 20_000 });
    logWatch.addSecret('API key', running.apiKey);
    this.scope = { groupId: running.group.groupId };
    this.tables = new Tables((role) => running.connection(role), this.scope.groupId);
  }

  static async start(request: InstallationRequest): Promise<Installation> {
    const { folder, data, port, processes = true, commands = [], scanOnly = false, embedder = null } = request;
    const { restoreFrom = null, passphrase } = request;
    const engines = await stackEnvironment(data);
    if (restoreFrom === null) placeCluster(data);
    const options = {
      ...{ folder, sample: folder, data, port: port ?? (await freePort()), processes, commands, scanOnly, embedder },
      ...{ acceptDeletions: false, restoreFrom, passphrase },
    };
    const started = startEnvironment({ ...engines, ...defaults(request), ...request.environment });
    const environment = { ...started, reading: { ...started.reading, ...request.settings } };
    const print = request.print ?? ((): void => undefined);
    logWatch.open(data, { ...engines, ...request.environment, ...request.settings });
    return new Installation(await startStandalone(options, environment, print), engines, data);
  }

  /** Waits until searches find the first document. */
  async firstDocument(): Promise<void> {
    await until('the first document', async () => {
      const { body } = await this.ask('GET', '/v1/documents');
      return (body['documents'] as { status: string }[])[0]?.status === 'VECTORIZED';
    });
  }

  /** The process ids of one service. */
  processesOf(service: string): number[] {
    return treeOf(process.pid).flatMap(({ pid, kind }) => (kind === service ? [pid] : []));
  }

  /** Explains a search with the rights of the key. */
  explain(search: ExplainRequest): Promise<Explanation> {
    return this.running.explain(this.key, search);
  }

  /** Rows of a query as the owner of a service's tables; the group is the first parameter. */
  rows<R extends object>(service: ServiceName, sql: string, params: readonly unknown[] = []): Promise<R[]> {
    return this.tables.rows<R>(ownerRole(service), sql, [this.scope.groupId, ...params]);
  }

  /** Changes tables without their service; the group is the first parameter. Returns the rows. */
  change<R extends object>(service: ServiceName, sql: string, params: readonly unknown[] = []): Promise<R[]> {
    return this.tables.change<R>(ownerRole(service), sql, [this.scope.groupId, ...params]);
  }

  /** The metrics of all services. */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.running.internalPort}/metrics`)).text();
  }

  get log(): string {
    return readFileSync(join(this.data, 'logs', 'acervo.log'), 'utf8');
  }

  async stop(): Promise<void> {
    await this.tables.close();
    await this.running.stop();
    logWatch.scan(this.data);
  }
}
