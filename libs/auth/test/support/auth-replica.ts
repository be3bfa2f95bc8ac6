import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceName, verifyCredential, type VerifiedScope } from '@acervo/contracts';
import {
  type CallServer,
  HttpTransport,
  type LocalCalls,
  ProofMint,
  RoutedCalls,
  ServiceKeys,
} from '@acervo/platform-calls';
import { type RunningServer, serve } from '@acervo/platform-http';
import { Metrics } from '@acervo/platform-observability';
import { bootService, type RunningService } from '@acervo/platform-service';
import { anonymous } from '@acervo/rbac';
import { environmentOf, type RunningAuth } from './auth';
import { authProgram } from './program';
import { Conversations } from './conversations';
import { OwnedSpaces } from './owned-spaces';
import { StoredAnswers } from './stored-answers';

/** Another replica of auth over the database of the first one, with settings and connections of its own. */
export class AuthReplica {
  private constructor(
    private readonly service: RunningService,
    private readonly listening: RunningServer,
    private readonly calls: RoutedCalls,
    private readonly transport: HttpTransport,
    private readonly directory: string,
  ) {}

  static async start({ server }: RunningAuth, settings: Readonly<Record<string, string>>): Promise<AuthReplica> {
    const directory = mkdtempSync(join(tmpdir(), 'acervo-auth-'));
    const local: LocalCalls = new Map<ServiceName, Pick<CallServer, 'dispatch'>>([
      ['operations', new StoredAnswers()],
      ['retrieval', new OwnedSpaces()],
      ['chat', new Conversations()],
    ]);
    const service = await bootService(authProgram, { environment: environmentOf(server, directory, settings), local });
    const mint = new ProofMint('gateway', await ServiceKeys.generate());
    const transport = new HttpTransport(() => 'http://nowhere.invalid', mint);
    const calls = new RoutedCalls('gateway', local, transport, new Metrics('test'));
    return new AuthReplica(
      service,
      await serve('public', service.handler, '127.0.0.1', 0),
      calls,
      transport,
      directory,
    );
  }

  async ask(method: string, path: string, body?: object, token?: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`http://127.0.0.1:${this.listening.port}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as object), httpStatus: answer.status };
  }

  /** The scope of an API key, as the gateway asks for it. */
  verify(bearer: string): Promise<VerifiedScope> {
    return this.calls.send(verifyCredential, anonymous, { bearer });
  }

  async close(): Promise<void> {
    await this.listening.close();
    await this.service.close();
    this.transport.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
