import type { RequestListener } from 'node:http';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import { callRoutes, Calls, type LocalCalls } from '@acervo/platform-calls';
import { createHttpApp, type HttpApp, openApiDocument, type ReadinessCheck, serveDocs } from '@acervo/platform-http';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { assemble, type Assembly, dissolve } from './assembly';
import type { Composition, ServiceDefinition } from './definition';
import { assertEngines } from './engines';
import { checksOf } from './readiness';
import { assertSchema } from './schema-version';
import type { ServiceConfig } from './service-config';
import { assertTenancy, backgroundWork } from './work';

export interface BootOptions {
  /** The services that share this process; a service of its own leaves it out. */
  readonly local?: LocalCalls;
  readonly logDestination?: DestinationStream;
}

/** A service that answers. */
export interface RunningService {
  readonly name: string;
  readonly app: INestApplication;
  readonly handler: RequestListener;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: readonly ReadinessCheck[];
  /**
   * Begins the work that nobody asks for; apart from booting, so that all services of a process are there first.
   * Resolves when events come and go: whoever answers meanwhile does not wait for it.
   */
  startWork(): Promise<void>;
  close(): Promise<void>;
}

const moduleOf = ({ providers, controllers = [] }: Composition, calls: Calls): DynamicModule => {
  class ServiceModule {}
  return {
    module: ServiceModule,
    controllers: [...controllers],
    providers: [
      { provide: Calls, useValue: calls },
      ...providers.map((provider) => ({ provide: provider.constructor as Type, useValue: provider })),
    ],
  };
};

/** What answers over HTTP: the routes of the service, and its calls for its peers. */
const httpAppOf = <C extends ServiceConfig>(
  { documented = false }: ServiceDefinition<C>,
  { kit, identity: { register, peers }, composition, server }: Assembly<C>,
  readiness: readonly ReadinessCheck[],
): Promise<HttpApp> => {
  const { config, logger, metrics, tracer, calls, scopeVerifier: scopes } = kit;
  const { authenticator } = composition;
  return createHttpApp({
    ...{ logger, metrics, tracer, readiness },
    module: moduleOf(composition, calls),
    trustedProxies: config.trustedProxies,
    ...(authenticator === undefined ? {} : { authenticator: () => authenticator }),
    prepare: (app) => {
      app.use(callRoutes({ server, published: () => register.published(), peers, scopes, logger }));
      if (documented) serveDocs(app, openApiDocument(app, '1'));
    },
  });
};

/**
 * Starts one service: configuration, engines, objects, routes, calls. Whatever is not wired completely throws here and
 * says what to add.
 */
export const bootService = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  options: BootOptions = {},
): Promise<RunningService> => {
  const { local = new Map(), logDestination } = options;
  const assembly = await assemble(definition, environment, { local, logDestination });
  const { kit, identity, composition, server } = assembly;
  const work = backgroundWork(definition, kit, composition);
  await assertSchema(definition, kit.engines.database);
  await assertTenancy(definition, kit);
  await assertEngines(kit.engines);
  await work.check();
  await identity.register.open();
  const readiness = [...checksOf(kit.config, kit.engines), ...work.checks, ...(composition.checks ?? [])];
  const http = await httpAppOf(definition, assembly, readiness);
  local.set(definition.name, server);
  const { logger, metrics } = kit;
  return {
    ...{ name: definition.name, app: http.app, handler: http.handler, logger, metrics, readiness },
    startWork: () => work.start(),
    close: async () => {
      local.delete(definition.name);
      await composition.interrupt?.();
      identity.register.close();
      await work.stop();
      await http.close();
      await dissolve(assembly);
    },
  };
};
