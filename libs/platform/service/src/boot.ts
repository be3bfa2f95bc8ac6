import type { RequestListener } from 'node:http';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import {
  callRoutes,
  Calls,
  CallServer,
  type LocalCalls,
  LocationSets,
  RoutedCalls,
  ScopeMint,
  ScopeVerifier,
} from '@acervo/platform-calls';
import { readConfig } from '@acervo/platform-config';
import { createHttpApp, openApiDocument, type ReadinessCheck, serveDocs } from '@acervo/platform-http';
import { createLogger, type Logger, Metrics, openTracer } from '@acervo/platform-observability';
import { InboxOfRequests, OutboxAuditTrail } from './audit-trail';
import type { Composition, ServiceDefinition, ServiceKit } from './definition';
import { assertEngines, closeEngines, openEngines } from './engines';
import { openIdentity } from './identity';
import { type ServiceConfig, tracingSettings } from './service-config';
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
  /** Begins the work that nobody asks for; apart from booting, so that all services of a process are there first. */
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

const checksOf = ({ engines }: ServiceKit): ReadinessCheck[] => [
  { name: 'database', check: () => engines.database.ping() },
  // Work waits without them, and is worked at once where it arises; everything else goes on.
  { name: 'jobs', spare: engines.doorbells.remote, check: () => engines.doorbells.ping() },
  ...(engines.objects.remote ? [{ name: 'objects', spare: true, check: () => engines.objects.ping() }] : []),
];

/**
 * Starts one service: configuration, engines, objects, routes, calls. Whatever is not wired completely throws here and
 * says what to add.
 */
export const bootService = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  { local = new Map(), logDestination }: BootOptions = {},
): Promise<RunningService> => {
  const config = readConfig(definition.config, environment);
  const logger = createLogger({ service: definition.name, level: config.logLevel, destination: logDestination });
  const metrics = new Metrics(definition.name);
  const tracer = await openTracer(tracingSettings(config), { service: definition.name, logger, metrics });
  const engines = openEngines(definition.name, config, { logger, metrics });
  const { keys, register, peers, transport } = await openIdentity(definition.name, config, {
    database: engines.database,
    logger,
  });
  const kit: ServiceKit<C> = {
    config,
    logger,
    metrics,
    tracer,
    calls: new RoutedCalls(definition.name, local, transport, metrics, tracer),
    engines,
    scopeMint: new ScopeMint(keys),
    scopeVerifier: new ScopeVerifier(peers),
  };
  const composition = definition.compose(kit);
  const { database, outbox, failpoints } = kit.engines;
  const locations = new LocationSets(kit.calls);
  const server = new CallServer({
    service: definition.name,
    providers: composition.providers,
    database,
    audit: new OutboxAuditTrail(outbox),
    requestsDone: new InboxOfRequests(definition.name),
    failpoints,
    tracer,
    // Auth has the folders itself, and reads nothing under them.
    ...(definition.name === 'auth' ? {} : { complete: (scope) => locations.complete(scope) }),
  });
  const work = backgroundWork(definition, kit, composition);
  await assertTenancy(definition, kit);
  await assertEngines(engines);
  await register.open();
  const readiness = [...checksOf(kit), ...work.checks, ...(composition.checks ?? [])];
  const { authenticator } = composition;
  const http = await createHttpApp({
    module: moduleOf(composition, kit.calls),
    logger,
    metrics,
    tracer,
    readiness,
    trustedProxies: config.trustedProxies,
    ...(authenticator === undefined ? {} : { authenticator: () => authenticator }),
    prepare: (app) => {
      app.use(callRoutes({ server, published: () => register.published(), peers, scopes: kit.scopeVerifier, logger }));
      if (definition.documented === true) serveDocs(app, openApiDocument(app, '1'));
    },
  });
  local.set(definition.name, server);
  return {
    name: definition.name,
    app: http.app,
    handler: http.handler,
    logger,
    metrics,
    readiness,
    startWork: () => work.start(),
    close: async () => {
      local.delete(definition.name);
      await composition.interrupt?.();
      register.close();
      await work.stop();
      await http.close();
      transport.close();
      await closeEngines(kit.engines);
      await composition.close?.();
      await tracer.close();
    },
  };
};
