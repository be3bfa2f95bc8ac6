import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CallerName,
  encode,
  type Event,
  provisionFirstGroup,
  type ProvisionedGroup,
  type ServiceName,
  type UserDependentsDeleted,
  userDependentsDeleted,
} from '@acervo/contracts';
import {
  type CallServer,
  HttpTransport,
  type LocalCalls,
  ProofMint,
  RoutedCalls,
  ServiceKeys,
} from '@acervo/platform-calls';
import { CATALOGUE_ROLE, type Database, DIRECTORY_ROLE } from '@acervo/platform-database';
import { type RunningServer, serve } from '@acervo/platform-http';
import { Consumer } from '@acervo/platform-messaging';
import { Metrics } from '@acervo/platform-observability';
import { bootService, migrationsOf, type RunningService } from '@acervo/platform-service';
import { openTestDatabase, programEnvironment, type TestDatabase, WITHOUT_LIMITS } from '@acervo/platform-testing';
import { anonymous } from '@acervo/rbac';
import { authMigrations } from '../../src/migrations';
import { authProgram } from './program';
import { Conversations } from './conversations';
import { OwnedSpaces } from './owned-spaces';
import { StoredAnswers } from './stored-answers';

export const ADMIN = { email: 'admin@example.test', password: 'una clave larga de prueba' } as const;

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export interface AskOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** auth-service as production boots it, over a real database, tested over HTTP. */
export class RunningAuth {
  private ended: Promise<void> | undefined;

  private constructor(
    readonly server: TestDatabase,
    readonly database: Database,
    readonly service: RunningService,
    readonly group: ProvisionedGroup,
    readonly calls: RoutedCalls,
    /** Calls as another service sends them. */
    readonly callsOf: (caller: CallerName) => RoutedCalls,
    private readonly listening: RunningServer,
    private readonly transport: HttpTransport,
    private readonly directory: string,
    readonly storedAnswers: StoredAnswers,
    readonly ownedSpaces: OwnedSpaces,
    readonly conversations: Conversations,
  ) {}

  /** `neighbours` answer the calls of auth to other services. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    neighbours: ReadonlyMap<ServiceName, Pick<CallServer, 'dispatch'>> = new Map(),
    logDestination?: { write(line: string): void },
  ): Promise<RunningAuth> {
    const server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
    const directory = mkdtempSync(join(tmpdir(), 'acervo-auth-'));
    const storedAnswers = new StoredAnswers();
    const ownedSpaces = new OwnedSpaces();
    const conversations = new Conversations();
    const local: LocalCalls = new Map<ServiceName, Pick<CallServer, 'dispatch'>>([
      ['operations', storedAnswers],
      ['retrieval', ownedSpaces],
      ['chat', conversations],
      ...neighbours,
    ]);
    const service = await bootService(authProgram, {
      environment: environmentOf(server, directory, settings),
      local,
      logDestination,
    });
    const listening = await serve('public', service.handler, '127.0.0.1', 0);
    const transport = new HttpTransport(
      () => 'http://nowhere.invalid',
      new ProofMint('standalone', await ServiceKeys.generate()),
    );
    const callsOf = (caller: CallerName): RoutedCalls => new RoutedCalls(caller, local, transport, new Metrics('test'));
    const calls = callsOf('standalone');
    const group = await calls.send(provisionFirstGroup, anonymous, {
      groupName: 'Grupo',
      administrator: ADMIN.email,
      administratorPassword: ADMIN.password,
    });
    return new RunningAuth(
      server,
      server.database('auth'),
      service,
      group,
      calls,
      callsOf,
      listening,
      transport,
      directory,
      storedAnswers,
      ownedSpaces,
      conversations,
    );
  }

  /** Mails are files unless a mail server is configured. */
  get mailDirectory(): string {
    return join(this.directory, 'mail');
  }

  async ask(method: string, path: string, body?: unknown, { token, headers = {} }: AskOptions = {}): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${this.listening.port}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text };
    const asObject = Array.isArray(parsed) ? { items: parsed as unknown[] } : (parsed as Record<string, unknown>);
    return { status: answer.status, headers: answer.headers, body: asObject };
  }

  /** The access token of a login. */
  async logIn({ email, password }: { email: string; password: string } = ADMIN): Promise<string> {
    const { status, body } = await this.ask('POST', '/auth/login', { email, password });
    if (status !== 200) throw new Error(`The login answered ${status}: ${JSON.stringify(body)}`);
    return String(body['access_token']);
  }

  /** Changes rows of the first group. */
  change(sql: string, params: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const { groupId } = this.group;
    return this.database.write({ groupId }, (tx) => tx.query(sql, params));
  }

  /** Delivers an event of the first group, as often as it is called. @param eventId of an event that came before */
  async hear<P extends object>(event: Event<P>, payload: P, eventId: string = randomUUID()): Promise<void> {
    await this.server.asOwner(
      'auth',
      `insert into auth.incoming (event_id, group_id, topic, event_key, payload, cause) values ($1, $2, $3, $4, $5, 'test')`,
      [eventId, this.group.groupId, event.topic, event.key(payload), JSON.stringify(encode(event.payload, payload))],
    );
    await this.service.app.get(Consumer, { strict: false }).drain();
  }

  /** Answers in place of the other services, so that all deletions of users end. */
  async endDeletions(): Promise<void> {
    const { groupId } = this.group;
    const waiting = await this.database.read({ groupId }, (tx) =>
      tx.query<UserDependentsDeleted>('select user_id as "userId", service from auth.user_deletion'),
    );
    for (const answer of waiting) await this.hear(userDependentsDeleted, answer);
  }

  /** Events of a topic that wait in the outbox, oldest first. */
  async published(topic: string): Promise<Record<string, unknown>[]> {
    const rows = await this.server.asOwner('auth', 'select payload from auth.outbox where topic = $1 order by id', [
      topic,
    ]);
    return rows.map(({ payload }) => payload as Record<string, unknown>);
  }

  /** Ends the service; its database stays. */
  end(): Promise<void> {
    this.ended ??= this.service.close();
    return this.ended;
  }

  async close(): Promise<void> {
    await this.listening.close();
    await this.end();
    this.transport.close();
    await this.server.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The environment of auth over a database. @param directory for mails and objects */
export const environmentOf = (
  server: TestDatabase,
  directory: string,
  settings: Readonly<Record<string, string>>,
): Record<string, string> => {
  const password = (name: string): string => server.connection(name).password;
  return {
    ...programEnvironment(server, 'auth'),
    ACERVO_DATABASE_DIRECTORY_PASSWORD: password(DIRECTORY_ROLE),
    ACERVO_DATABASE_CATALOGUE_PASSWORD: password(CATALOGUE_ROLE),
    ACERVO_MAIL_DIRECTORY: join(directory, 'mail'),
    ACERVO_KEY_PEPPER: 'a pepper of the test',
    ACERVO_LOG_LEVEL: 'error',
    ...WITHOUT_LIMITS,
    ...settings,
  };
};
