import 'reflect-metadata';
import type { Provider, Type } from '@nestjs/common';
import { type Call, NotFound, ScopeClaims, screens, Unauthorized } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { BaseConfig, BuildConfig, readConfig } from '@acervo/platform-config';
import {
  AddressLimiter,
  type Authentication,
  Authenticator,
  createHttpApp,
  type HttpApp,
  HttpModule,
  Page,
  RequestAdmission,
} from '@acervo/platform-http';
import { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import { silent } from '@acervo/platform-testing';
import { Scope } from '@acervo/rbac';
import { Build } from '../src/version/build';

const BUILD = { ACERVO_VERSION: '1.2.3', ACERVO_COMMIT: '0123456789abcdef' };

/** A call as a route sent it. */
export interface Sent {
  readonly code: string;
  readonly scope: Scope;
  readonly request: object;
  readonly options: object;
}

/** Records what routes send, and returns the answer, or throws the error, that a test prepared for the call. */
export class StubCalls {
  readonly sent: Sent[] = [];
  readonly answers = new Map<string, object>();

  send(call: Call, scope: Scope, request: object, options: object = {}): Promise<object> {
    this.sent.push({ code: call.code, scope, request: { ...request }, options });
    const answer = this.answers.get(call.code);
    if (answer === undefined) return Promise.reject(new NotFound());
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}

const claims = (over: Partial<ScopeClaims>): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    groupId: '00000000-0000-7000-8000-000000000001',
    userCode: 'ana',
    profile: 'ADMINISTRADOR',
    functions: screens,
    ...over,
  });

/** The caller of each credential. */
const callers: Readonly<Record<string, Partial<ScopeClaims>>> = {
  administrator: {},
  user: { profile: 'USUARIO' },
  chats: { profile: 'USUARIO', functions: ['CHAT-FINAL-USER'] },
  'without-screens': { functions: [] },
  key: { credential: 'api_key' },
};

class StubAuthenticator extends Authenticator {
  override authenticate({ bearer }: Authentication): Promise<Scope> {
    const over = callers[bearer];
    return over === undefined
      ? Promise.reject(new Unauthorized())
      : Promise.resolve(new Scope(claims(over), `token of ${bearer}`));
  }
}

/** The platform of the gateway, with stubs for calls and credentials. */
const platformOf = (calls: StubCalls): readonly Provider[] => [
  { provide: Calls, useValue: calls },
  { provide: Authenticator, useClass: StubAuthenticator },
  { provide: AddressLimiter, useValue: { admit: () => Promise.resolve() } },
  {
    provide: RequestAdmission,
    useValue: { enter: () => Promise.resolve(() => undefined) },
  },
  { provide: Logger, useValue: silent },
  { provide: Metrics, useValue: new Metrics('test') },
  { provide: Tracer, useValue: Tracer.none },
  { provide: BaseConfig, useValue: readConfig(BaseConfig, {}) },
  { provide: BuildConfig, useValue: readConfig(BuildConfig, BUILD) },
  { provide: Page, useValue: new Page({ frame: '<main></main>', style: 'a{}', script: 'b()' }) },
  Build,
];

/** Controllers of the gateway in front of stubs, with the providers that they need beside the platform. */
export const gatewayOf = (
  controllers: readonly Type[],
  calls: StubCalls,
  more: readonly Provider[] = [],
): Promise<HttpApp> => {
  class GatewayOfTest {}
  const providers = [...platformOf(calls), ...more];
  return createHttpApp({
    ...{ module: GatewayOfTest, global: true, controllers: [...controllers], providers },
    imports: [HttpModule],
    exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
  });
};
