import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { InjectionToken } from '@nestjs/common';
import { openConversation, type ScopeClaims, Unauthorized } from '@acervo/contracts';
import { type ChatCompletion, ChatModel, type ChatPart, type ChatRequest, OpenAiChatModel } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { BaseConfig, type Environment, readConfig } from '@acervo/platform-config';
import {
  AddressLimiter,
  type Authentication,
  Authenticator,
  createHttpApp,
  Draining,
  type HttpApp,
  HttpModule,
  RequestAdmission,
  type RunningServer,
  serve,
} from '@acervo/platform-http';
import { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import { ChatServer, silent } from '@acervo/platform-testing';
import type { Scope } from '@acervo/rbac';
import { ChatController } from '../src/routes/chat.controller';
import { ChatLimits } from '../src/routes/chat-limits';
import { StreamAnswer } from '../src/routes/stream-answer';
import { openBed } from './bed';
import { DocumentsWorld } from './documents-world';

/** Asks the scripted server. Each request has a client of its own, so that no failure of another one pauses it. */
class ScriptedModel extends ChatModel {
  readonly models = ['small', 'tooled'];
  override readonly toolModels = ['tooled'];

  constructor(private readonly url: string) {
    super();
  }

  override complete(request: ChatRequest): Promise<ChatCompletion> {
    return this.open().complete(request);
  }

  override stream(request: ChatRequest): AsyncIterable<ChatPart> {
    return this.open().stream(request);
  }

  private open(): OpenAiChatModel {
    const endpoint = { baseUrl: `${this.url}/v1`, apiKey: null, models: this.models, toolModels: this.toolModels };
    return new OpenAiChatModel({ ...endpoint, concurrency: 1, tokensPerMinute: 1_000_000 }, { firstWaitMs: 1 });
  }
}

/** A stored message, with what only the table says of it. */
export interface StoredMessage {
  readonly author: 'USER' | 'ASSISTANT';
  readonly state: string;
  readonly text: string;
  readonly citations: number;
}

/** The service behind its routes over HTTP, before documents of a test and a scripted model. */
export class ChatApp {
  readonly world = new DocumentsWorld();
  readonly model = new ChatServer();
  readonly scopes = new Map<string, Scope>();
  bed!: ServiceTestBed;
  private http!: HttpApp;
  private server!: RunningServer;

  async open(settings: Environment = {}): Promise<void> {
    const model = new ScriptedModel(await this.model.open());
    const environment = { ...settings, ACERVO_CHAT_URL: 'http://127.0.0.1:1', ACERVO_CHAT_MODEL: 'small' };
    this.bed = await openBed({
      ...{ neighbours: this.world, environment },
      overrides: [[ChatModel, model]],
    });
    this.world.dispatchToChat = (sent) => this.bed.server.dispatch(sent);
    await this.serve();
  }

  get port(): number {
    return this.server.port;
  }

  /** Begins to stop, as the process does at its end. */
  stop(): void {
    this.http.app.get(Draining).begin();
  }

  /** Serves the routes again, as a process that starts. */
  async restart(): Promise<void> {
    await this.end();
    await this.serve();
  }

  async close(): Promise<void> {
    await this.end();
    await this.bed.close();
    await this.model.close();
  }

  /** A new user and the credential of its session. */
  person(claims: Partial<ScopeClaims> = {}): { readonly scope: Scope; readonly bearer: string } {
    const bearer = randomUUID();
    const scope = administratorOf(newGroup(), {
      ...{ userId: randomUUID(), credentialId: bearer, credential: 'session', functions: ['CHAT-USER'] },
      ...claims,
    });
    this.scopes.set(bearer, scope);
    return { scope, bearer };
  }

  async conversation(scope: Scope): Promise<number> {
    return (await this.bed.send(openConversation, scope, { functionCode: 'CHAT-USER' })).conversationId;
  }

  /** Sends a question to a conversation. */
  ask(bearer: string, conversation: number, mensaje: string, signal?: AbortSignal): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}/chat/conversaciones/${conversation}/mensajes/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mensaje }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Sends a question and destroys the connection after so many bytes of its answer; returns what it read. */
  askAndLeave(bearer: string, conversation: number, mensaje: string, bytes: number): Promise<Buffer> {
    const body = JSON.stringify({ mensaje });
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      let read = 0;
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.write(
          `POST /chat/conversaciones/${conversation}/mensajes/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
            `Authorization: Bearer ${bearer}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
        if (bytes === 0) socket.destroy();
      });
      socket.on('data', (part: Buffer) => {
        parts.push(part.subarray(0, bytes - read));
        read += part.length;
        if (read >= bytes) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(Buffer.concat(parts)));
    });
  }

  stored(scope: Scope): Promise<StoredMessage[]> {
    return this.bed.database.read(scope, (tx) =>
      tx.query<StoredMessage>(
        `select m.author, m.state, m.text, (select count(*)::int from chat.citation t
           where t.group_id = m.group_id and t.message_id = m.message_id) as citations
         from chat.message m where m.group_id = $1 order by m.message_id`,
        [scope.groupId],
      ),
    );
  }

  private async serve(): Promise<void> {
    this.http = await createHttpApp({ ...this.module(), imports: [HttpModule] });
    this.server = await serve('public', this.http.handler, '127.0.0.1', 0);
  }

  private async end(): Promise<void> {
    await this.server.close(0);
    await this.http.close();
  }

  private module() {
    class ChatOfTest {}
    const { bed, world, scopes } = this;
    const providers: { readonly provide: InjectionToken; readonly useValue: unknown }[] = [
      { provide: Calls, useValue: world },
      { provide: StreamAnswer, useValue: bed.get(StreamAnswer) },
      { provide: ChatLimits, useValue: bed.get(ChatLimits) },
      {
        provide: Authenticator,
        useValue: {
          authenticate: ({ bearer }: Authentication) => {
            const scope = scopes.get(bearer);
            return scope === undefined ? Promise.reject(new Unauthorized()) : Promise.resolve(scope);
          },
        },
      },
      { provide: AddressLimiter, useValue: { admit: () => Promise.resolve() } },
      { provide: RequestAdmission, useValue: { enter: () => Promise.resolve(() => undefined) } },
      { provide: Logger, useValue: silent },
      { provide: Metrics, useValue: new Metrics('test') },
      { provide: Tracer, useValue: Tracer.none },
      { provide: BaseConfig, useValue: readConfig(BaseConfig, {}) },
    ];
    return {
      ...{ module: ChatOfTest, global: true, controllers: [ChatController], providers },
      exports: providers.map(({ provide }) => provide),
    };
  }
}
