import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { DestinationStream } from 'pino';
import { call, type CallerName, Int, ScopeClaims, Text } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { RequestBodies } from '@acervo/platform-http';
import { createLogger, Metrics } from '@acervo/platform-observability';
import { Scope } from '@acervo/rbac';
import {
  type AuditTrail,
  callRoutes,
  type Calls,
  CallServer,
  HttpTransport,
  ProofMint,
  PublishedKeys,
  RoutedCalls,
  ScopeMint,
  ScopeVerifier,
  ServiceKeys,
  type Transport,
  WriteContexts,
} from '../src';

export const GROUP = '11111111-1111-4111-8111-111111111111';

export class Question {
  @Text({ max: 40, wire: 'pregunta', description: 'What is asked' }) readonly text!: string;
  @Int({ default: 3, max: 9, description: 'How often' }) readonly times?: number;
}

export class Answer {
  @Text({ max: 400, wire: 'respuesta', description: 'What is answered' }) readonly reply!: string;
  @Text({ max: 40, optional: true, nullable: true, description: 'More' }) readonly more?: string | null;
}

const io = { owner: 'gateway', input: Question, output: Answer } as const;

export const asked = call({ ...io, code: 'test.asked', effect: 'read', scope: 'user', callers: ['chat', 'gateway'] });
export const worked = call({ ...io, code: 'test.worked', effect: 'read', scope: 'work', callers: ['ingestion'] });
export const greeted = call({
  ...io,
  code: 'test.greeted',
  effect: 'read',
  scope: 'anonymous',
  callers: ['chat', 'gateway', 'operator'],
});

export const claimsOf = (more: Partial<ScopeClaims> = {}): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    groupId: GROUP,
    groupCode: 'G',
    userId: '22222222-2222-4222-8222-222222222222',
    userCode: 'ana@example.org',
    userName: 'Ana',
    credential: 'session',
    credentialId: 's-1',
    assurance: 1,
    profile: 'USUARIO',
    roleCode: 'R',
    functions: ['F'],
    entities: ['E'],
    activeEntity: null,
    authorizedAreaRoot: null,
    activeArea: null,
    effectiveArea: null,
    areaFocusIsExplicit: false,
    locationRoots: null,
    ...more,
  });

/** The keys of every service, as published, and tokens made with them. */
export class KeyRing {
  private constructor(private readonly keys: ReadonlyMap<string, ServiceKeys>) {}

  static async make(): Promise<KeyRing> {
    const names: CallerName[] = ['chat', 'auth', 'ingestion', 'retrieval', 'gateway', 'operator'];
    return new KeyRing(
      new Map(await Promise.all(names.map(async (name) => [name, await ServiceKeys.generate()] as const))),
    );
  }

  of(service: string): ServiceKeys {
    const found = this.keys.get(service);
    if (found === undefined) throw new Error(`${service} has no keys in this test.`);
    return found;
  }

  peers(): PublishedKeys {
    return new PublishedKeys((service) => Promise.resolve(this.of(service).published));
  }

  async scope(claims = claimsOf()): Promise<Scope> {
    return new Scope(claims, await new ScopeMint(this.of('auth')).mint(claims));
  }
}

/** The logger of a service and the lines that it wrote. */
export const listening = (): { lines: string[]; logger: ReturnType<typeof createLogger> } => {
  const lines: string[] = [];
  const destination: DestinationStream = { write: (line) => void lines.push(line) };
  return { lines, logger: createLogger({ service: 'gateway', level: 'info', destination }) };
};

/** One of the two ways of a call. */
export interface Way {
  as(caller: CallerName): Calls;
  close(): Promise<void>;
}

const nowhere: Transport = { send: () => Promise.reject(new Error('There is no network in this test.')) };

/** A server of calls that write nothing. */
export const gatewayServer = (...providers: object[]): CallServer =>
  new CallServer('gateway', new WriteContexts({} as Database, {} as AuditTrail)).register(providers);

export const inProcess = (server: CallServer): Way => ({
  as: (caller) => new RoutedCalls(caller, new Map([['gateway', server]]), nowhere, new Metrics('gateway')),
  close: () => Promise.resolve(),
});

export interface Served {
  readonly url: string;
  readonly lines: readonly string[];
  close(): Promise<void>;
}

export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A server with the routes of calls, on a port of its own. */
export const serve = async (server: CallServer, keyRing: KeyRing, peers = keyRing.peers()): Promise<Served> => {
  const { lines, logger } = listening();
  const app = express();
  app.use(
    callRoutes({
      server,
      published: () => Promise.resolve(keyRing.of('gateway').published),
      peers,
      scopes: new ScopeVerifier(peers),
      bodies: new RequestBodies(new Metrics('gateway')),
      logger,
    }),
  );
  const http = createServer(app);
  const url = await listen(http);
  return {
    url,
    lines,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
};

export const overHttp = (served: Served, keyRing: KeyRing): Way => {
  const transports: HttpTransport[] = [];
  return {
    as: (caller) => {
      const transport = new HttpTransport(() => served.url, new ProofMint(caller, keyRing.of(caller)));
      transports.push(transport);
      return new RoutedCalls(caller, new Map(), transport, new Metrics(caller));
    },
    close: async () => {
      for (const transport of transports) transport.close();
      await served.close();
    },
  };
};

/** The error of a promise that must fail. */
export const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing failed.');
};
