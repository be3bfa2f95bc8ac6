import type { IncomingMessage, RequestListener } from 'node:http';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import {
  CallServer,
  callRoutes,
  KeyRegister,
  provesSender,
  PublishedKeys,
  ScopeVerifier,
} from '@acervo/platform-calls';
import {
  createHttpApp,
  Draining,
  HealthController,
  openApiDocument,
  ReadinessMonitor,
  RequestBodies,
  serveDocs,
} from '@acervo/platform-http';
import { Logger, Metrics } from '@acervo/platform-observability';
import { BackgroundWork } from './background-work';
import { ContractDiscovery } from './contract-discovery';
import { type Runtime, RuntimeModule } from '../modules/runtime.module';
import type { ServiceDefinition } from '../service';
import { StartupChecks } from './startup-checks';

/** A service: its definition and the root module of its application. */
export interface ServiceProgram {
  readonly service: ServiceDefinition;
  readonly module: Type;
}

/** A service that answers. */
export interface RunningService {
  readonly name: string;
  readonly app: INestApplication;
  readonly handler: RequestListener;
  /** Whether the headers of a request prove that a service sent it. */
  readonly proves: (request: IncomingMessage) => Promise<boolean>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether it can answer requests, from memory; waits for the first round of checks. */
  isReady(): Promise<boolean>;
  /**
   * Starts background work. Booting does not: first, all services of a process must be there.
   * Resolves when events can be sent and received; requests are answered meanwhile.
   */
  startWork(): Promise<void>;
  /** From now on it is not ready, and still answers. */
  drain(): void;
  /** Ends the handling of events and the stages; interrupted work is left to another process. */
  stopWork(): Promise<void>;
  close(): Promise<void>;
}

/** The root module of one application: the module of the service and the `Runtime` of its process. */
export const applicationOf = (module: Type, runtime: Runtime): DynamicModule => {
  class ApplicationModule {}
  return { module: ApplicationModule, imports: [RuntimeModule.forProcess(runtime), module] };
};

/** Checks the wiring of the service and its engines, then prepares its routes. */
const prepare = async (app: INestApplication, { description }: ServiceDefinition): Promise<void> => {
  app.get(ContractDiscovery).bind();
  await app.get(StartupChecks).run();
  const register = app.get(KeyRegister);
  await register.open();
  app.use(
    callRoutes({
      server: app.get(CallServer),
      published: () => register.published(),
      peers: app.get(PublishedKeys),
      scopes: app.get(ScopeVerifier),
      bodies: app.get(RequestBodies),
      logger: app.get<Logger>(Logger),
    }),
  );
  if (description !== undefined) serveDocs(app, () => openApiDocument(app, description));
};

/**
 * Starts one service: configuration, engines, routes, calls.
 * @throws when the wiring is incomplete; the message names what to add
 */
export const bootService = async (
  { service, module }: ServiceProgram,
  { environment, local = new Map(), logDestination }: Runtime,
): Promise<RunningService> => {
  const root = applicationOf(module, { environment, local, logDestination });
  const { app, handler, close } = await createHttpApp(root, { prepare: (prepared) => prepare(prepared, service) });
  app.get(Metrics).describeProcess();
  local.set(service.name, app.get(CallServer));
  const work = app.get(BackgroundWork);
  return {
    ...{ name: service.name, app, handler },
    proves: provesSender(app.get(CallServer), app.get(PublishedKeys)),
    logger: app.get<Logger>(Logger),
    metrics: app.get(Metrics),
    isReady: async () => {
      await app.get(ReadinessMonitor).firstRound();
      return (await app.get(HealthController).report()).ready;
    },
    startWork: () => work.start(),
    drain: () => app.get(Draining).begin(),
    stopWork: () => work.stop(),
    close: async () => {
      local.delete(service.name);
      app.get(KeyRegister).close();
      await work.stop();
      await close();
    },
  };
};
