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
import { createHttpApp, type HttpApp, openApiDocument, type ReadinessCheck, serveDocs } from '@acervo/platform-http';
import { createLogger, type Logger, Metrics, openTracer } from '@acervo/platform-observability';
import { InboxOfRequests, OutboxAuditTrail } from './audit-trail';
import type { Composition, ServiceDefinition, ServiceKit } from './definition';
import { assertEngines, closeEngines, openEngines } from './engines';
import { openIdentity, type ServiceIdentity } from './identity';
import { checksOf } from './readiness';
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

/** Everything that the objects of a service are made from, and by what it is known to its peers. */
interface Opened<C extends ServiceConfig> {
  readonly kit: ServiceKit<C>;
  readonly identity: ServiceIdentity;
}

const openKit = async <C extends ServiceConfig>(
  { name, config: configuration }: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  { local, logDestination }: BootOptions & { readonly local: LocalCalls },
): Promise<Opened<C>> => {
  const config = readConfig(configuration, environment);
  const logger = createLogger({ service: name, level: config.logLevel, destination: logDestination });
  const metrics = new Metrics(name);
  const tracer = await openTracer(tracingSettings(config), { service: name, logger, metrics });
  const engines = openEngines(name, config, { logger, metrics });
  const identity = await openIdentity(name, config, { database: engines.database, logger });
  return {
    identity,
    kit: {
      ...{ config, logger, metrics, tracer, engines },
      calls: new RoutedCalls(name, local, identity.transport, metrics, tracer),
      scopeMint: new ScopeMint(identity.keys),
      scopeVerifier: new ScopeVerifier(identity.peers),
    },
  };
};

/** What answers the calls of the service. @throws for a call that nobody answers */
const serverOf = <C extends ServiceConfig>(
  { name }: ServiceDefinition<C>,
  { calls, engines, tracer }: ServiceKit<C>,
  { providers }: Composition,
): CallServer => {
  const { database, outbox, failpoints } = engines;
  const locations = new LocationSets(calls);
  return new CallServer({
    ...{ service: name, providers, database, failpoints, tracer },
    audit: new OutboxAuditTrail(outbox),
    requestsDone: new InboxOfRequests(name),
    // Auth has the folders itself, and reads nothing under them.
    ...(name === 'auth' ? {} : { complete: (scope) => locations.complete(scope) }),
  });
};

interface Served {
  readonly server: CallServer;
  readonly composition: Composition;
  readonly readiness: readonly ReadinessCheck[];
}

/** What answers over HTTP: the routes of the service, and its calls for its peers. */
const httpAppOf = <C extends ServiceConfig>(
  { documented = false }: ServiceDefinition<C>,
  { kit, identity: { register, peers } }: Opened<C>,
  { server, composition, readiness }: Served,
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
  const { local = new Map() } = options;
  const opened = await openKit(definition, environment, { ...options, local });
  const { kit, identity } = opened;
  const composition = definition.compose(kit);
  const server = serverOf(definition, kit, composition);
  const work = backgroundWork(definition, kit, composition);
  await assertTenancy(definition, kit);
  await assertEngines(kit.engines);
  await identity.register.open();
  const readiness = [...checksOf(kit.config, kit.engines), ...work.checks, ...(composition.checks ?? [])];
  const http = await httpAppOf(definition, opened, { server, composition, readiness });
  local.set(definition.name, server);
  const { logger, metrics, engines, tracer } = kit;
  return {
    ...{ name: definition.name, app: http.app, handler: http.handler, logger, metrics, readiness },
    startWork: () => work.start(),
    close: async () => {
      local.delete(definition.name);
      await composition.interrupt?.();
      identity.register.close();
      await work.stop();
      await http.close();
      identity.transport.close();
      await closeEngines(engines);
      await composition.close?.();
      await tracer.close();
    },
  };
};
