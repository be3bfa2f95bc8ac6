import type { DestinationStream } from 'pino';
import {
  CallServer,
  type LocalCalls,
  LocationSets,
  RoutedCalls,
  ScopeMint,
  ScopeVerifier,
} from '@acervo/platform-calls';
import { readConfig } from '@acervo/platform-config';
import { createLogger, Metrics, openTracer } from '@acervo/platform-observability';
import { InboxOfRequests, OutboxAuditTrail } from './audit-trail';
import type { Composition, ServiceDefinition, ServiceKit } from './definition';
import { closeEngines, openEngines } from './engines';
import { openIdentity, type ServiceIdentity } from './identity';
import { type ServiceConfig, tracingSettings } from './service-config';

export interface AssemblyOptions {
  readonly local: LocalCalls;
  readonly logDestination?: DestinationStream | undefined;
}

/** The objects of a service with what they are made from: calls are answered, nothing listens or works yet. */
export interface Assembly<C extends ServiceConfig> {
  readonly kit: ServiceKit<C>;
  /** By what it is known to its peers. */
  readonly identity: ServiceIdentity;
  readonly composition: Composition;
  readonly server: CallServer;
}

type Opened<C extends ServiceConfig> = Pick<Assembly<C>, 'kit' | 'identity'>;

const openKit = async <C extends ServiceConfig>(
  { name, config: configuration }: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  { local, logDestination }: AssemblyOptions,
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

/** Makes the objects of a service. @throws for whatever is not wired completely, saying what to add */
export const assemble = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  options: AssemblyOptions,
): Promise<Assembly<C>> => {
  const { kit, identity } = await openKit(definition, environment, options);
  const composition = definition.compose(kit);
  return { kit, identity, composition, server: serverOf(definition, kit, composition) };
};

/** Frees what the objects hold; whoever listened or worked for them has ended before. */
export const dissolve = async <C extends ServiceConfig>({ kit, identity, composition }: Assembly<C>): Promise<void> => {
  identity.register.close();
  identity.transport.close();
  await closeEngines(kit.engines);
  await composition.close?.();
  await kit.tracer.close();
};
