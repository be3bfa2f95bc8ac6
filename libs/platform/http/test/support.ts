import 'reflect-metadata';
import { Writable } from 'node:stream';
import { ApiBearerAuth } from '@nestjs/swagger';
import { Body, Controller, type DynamicModule, Get, Module, Param, Post, Put, Query, type Type } from '@nestjs/common';
import {
  Code,
  Forbidden,
  Int,
  ListOf,
  Meaningful,
  Nested,
  NotFound,
  OneOf,
  Overloaded,
  RateLimited,
  ScopeClaims,
  Text,
  Unauthorized,
  Unavailable,
} from '@acervo/contracts';
import { BaseConfig, readConfig } from '@acervo/platform-config';
import { createLogger, Logger, Metrics, Tracer } from '@acervo/platform-observability';
import { FairSemaphore, type Release } from '@acervo/platform-resilience';
import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { readsDocuments, requirements, Requires, Scope } from '@acervo/rbac';
import {
  AddressLimiter,
  Answers,
  type Authentication,
  Authenticator,
  Caller,
  createHttpApp,
  Describes,
  type HttpApp,
  type HttpAppOptions,
  HttpModule,
  type ReadinessCheck,
  ReadinessChecks,
  RequestAdmission,
  type RouteDescription,
} from '../src';

/** Requests wait here until the test opens the gate. */
export class Gate {
  private waiting: (() => void)[] = [];

  get waits(): number {
    return this.waiting.length;
  }

  pass(): Promise<void> {
    return new Promise((resolve) => void this.waiting.push(resolve));
  }

  /** Lets the requests that wait now pass. */
  open(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Places for requests: four by default, as on one machine. */
export class Places extends RequestAdmission {
  readonly semaphore: FairSemaphore;

  constructor(permits = 4, mostWaiting = 64) {
    super();
    this.semaphore = new FairSemaphore({ permits, mostWaiting, refusal: () => new Overloaded('this service') });
  }

  override enter(tenant: string, gone: AbortSignal): Promise<Release> {
    return this.semaphore.enter(tenant, gone);
  }
}

/** The gate of `/v1/things/slow`. */
export const slowThing = new Gate();

export class Part {
  @Code({ description: 'Code of the part' }) readonly code!: string;
}
export class Question {
  @Meaningful({ max: 20, description: 'What to look for' }) readonly query!: string;
  @Int({ min: 1, max: 100, default: 10, description: 'Most things' }) readonly limit!: number;
  @Nested(() => Part, { optional: true, nullable: true, description: 'Main part' }) readonly main?: Part | null;
  @ListOf(() => Part, { max: 3, optional: true, nullable: true, description: 'Parts' })
  readonly parts?: readonly Part[] | null;
}
export class SampleRequest {
  @Text({ max: 20, optional: true, description: 'Name that it should have' }) readonly name?: string;
}
export class Page {
  @Int({ min: 1, max: 9, default: 1, description: 'Page' }) readonly page!: number;
  @OneOf(documentStatus, { optional: true, description: 'State' }) readonly status?: DocumentStatus;
}
export class Reference {
  @Code({ description: 'Code of the thing' }) readonly thingCode!: string;
}
export class Thing {
  @Text({ max: 400, description: 'Name' }) readonly displayName!: string;
  @Int({ description: 'Number' }) readonly count!: number;
  @OneOf(documentStatus, { nullable: true, description: 'State' }) readonly status!: DocumentStatus | null;
  @Nested(() => Part, { nullable: true, description: 'Part' }) readonly part!: Part | null;
}

const thing = (over: object = {}): Thing =>
  Object.assign(new Thing(), { displayName: 'n', count: 0, status: null, part: null }, over);

/** How the description shows the route that asks for a thing. */
export const asksThing: RouteDescription = {
  summary: 'Ask for a thing',
  description: 'Answers the thing that fits the query.',
  example: { request: { query: 'ink' }, answer: { display_name: 'ink', count: 1, status: null, part: null } },
  errors: ['QUOTA_EXCEEDED'],
};

@ApiBearerAuth('credential')
@Controller('v1/things')
@Requires(readsDocuments)
export class ThingsController {
  @Post()
  @Answers(Thing)
  @Describes(asksThing)
  ask(@Caller() scope: Scope, @Body() { query, limit, parts }: Question): Thing {
    return thing({ displayName: `${scope.userCode} ${query}`, count: limit + (parts?.length ?? 0) });
  }
  @Put() @Answers(Thing) change(@Body() { name }: SampleRequest): Thing {
    return thing({ displayName: name ?? 'as it was' });
  }
  @Get() @Answers(Thing) list(@Query() { page, status }: Page): Thing {
    return thing({ count: page, status: status ?? null });
  }
  @Get(':thing_code') @Answers(Thing) async get(@Param() { thingCode }: Reference): Promise<Thing> {
    if (thingCode === 'slow') await slowThing.pass();
    if (thingCode === 'invisible') throw new NotFound();
    return thing({ displayName: thingCode, groupId: 'hush', part: { code: 'P', groupId: 'hush' } });
  }
}

/** More than the buffers of a connection hold. */
export const LARGE = 16_000_000;

/** The mistake of a route in each controller below. */
const failing = (kind: string): Thing => {
  if (kind === 'crash') throw new Error('hush');
  if (kind === 'upstream') throw Object.assign(new Error('hush'), { status: 403 });
  if (kind === 'limited') throw new RateLimited(7);
  if (kind === 'unavailable') throw new Unavailable('hush');
  if (kind === 'forbidden') throw new Forbidden('hush');
  if (kind === 'unmapped') return thing({ status: 'ARCHIVADO' });
  if (kind === 'incomplete') return thing({ count: undefined });
  if (kind === 'large') return thing({ displayName: 'x'.repeat(LARGE) });
  throw 'hush';
};

@Controller('v1/open')
@Requires(requirements.nobody)
export class OpenController {
  @Get(':kind') @Answers(Thing) fail(@Param('kind') kind: string): Thing {
    return failing(kind);
  }
  @Post() @Answers(Thing) ask(@Body() { query }: Question): Thing {
    return thing({ displayName: query });
  }
}

@Controller('documentos')
@Requires(requirements.credential)
export class DocumentosController {
  @Get() @Answers(Thing) list(): Thing {
    return thing();
  }
  @Post() @Answers(Thing) ask(@Body() { query }: Question): Thing {
    return thing({ displayName: query });
  }
  @Get(':kind') @Answers(Thing) fail(@Param('kind') kind: string): Thing {
    return failing(kind);
  }
}

@Controller('internal/things')
@Requires(requirements.nobody)
export class InternalController {
  @Get() @Answers(Thing) list(): Thing {
    return thing();
  }
}

@Module({ controllers: [ThingsController, OpenController, DocumentosController, InternalController] })
export class ThingsModule {}

/** `session`, `key` and `poor` are the credentials that exist. */
class Door extends Authenticator {
  override authenticate({ bearer }: Authentication): Promise<Scope> {
    if (!['session', 'key', 'poor'].includes(bearer)) return Promise.reject(new Unauthorized());
    const claims = Object.assign(new ScopeClaims(), {
      groupId: 'g-1',
      userCode: 'ana',
      credential: bearer === 'key' ? 'api_key' : 'session',
      functions: bearer === 'poor' ? ['WORKSPACES'] : ['DOCUMENTS'],
    });
    return Promise.resolve(new Scope(claims, 'scope-token'));
  }
}

export interface TestApp extends HttpApp {
  readonly logged: () => string;
}

export interface TestAppOptions {
  readonly module?: Type;
  readonly readiness?: readonly ReadinessCheck[];
  readonly trustedProxies?: number;
  readonly tracer?: Tracer;
  readonly limiter?: AddressLimiter;
  readonly admission?: RequestAdmission;
  /** Absent in an app that verifies no credentials. */
  readonly authenticated?: boolean;
  readonly prepare?: HttpAppOptions['prepare'];
}

/** A module around the one of the test that provides what a service gets from its platform. */
const rootOf = (logger: Logger, { module = ThingsModule, tracer, ...options }: TestAppOptions): DynamicModule => {
  class PlatformOfTest {}
  const config = { ...readConfig(BaseConfig, {}), trustedProxies: options.trustedProxies ?? 0 };
  const authenticator = options.authenticated === false ? [] : [{ provide: Authenticator, useClass: Door }];
  const provided = [
    { provide: Logger, useValue: logger },
    { provide: Metrics, useValue: new Metrics('test') },
    { provide: Tracer, useValue: tracer ?? Tracer.none },
    { provide: BaseConfig, useValue: config },
    { provide: AddressLimiter, useValue: options.limiter ?? { admit: () => Promise.resolve() } },
    {
      provide: RequestAdmission,
      useValue: options.admission ?? { enter: () => Promise.resolve(() => undefined) },
    },
    ...authenticator,
  ];
  return {
    module: PlatformOfTest,
    global: true,
    imports: [HttpModule, module],
    providers: provided,
    exports: provided.map(({ provide }) => provide),
  };
};

export const testApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  let logged = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'info', destination });
  const http = await createHttpApp(rootOf(logger, options), {
    prepare: async (app) => {
      for (const check of options.readiness ?? []) app.get(ReadinessChecks).add(check);
      await options.prepare?.(app);
    },
  });
  return { ...http, logged: () => logged };
};
