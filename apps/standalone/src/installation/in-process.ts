import { pino } from 'pino';
import { HttpTransport, type LocalCalls, ProofMint, RoutedCalls, ServiceKeys } from '@acervo/platform-calls';
import type { Metrics } from '@acervo/platform-observability';
import type { RunningService } from '@acervo/platform-service';
import { type EnvironmentDependencies, environmentOf, failpointVariable } from './environment';
import { mergeMetrics } from './metrics-text';
import type { RunningServices } from './running';
import { installedServices } from '../kernel/service-list';

/**
 * Boots services side by side, so that one is composed while another waits for the database.
 * @throws the error of the first one that cannot boot, once all others have booted and are closed again
 */
export const bootTogether = async <Service extends Pick<RunningService, 'close'>>(
  boots: readonly (() => Promise<Service>)[],
): Promise<Service[]> => {
  const settled = await Promise.allSettled(boots.map((boot) => boot()));
  const booted = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed === undefined) return booted;
  for (const service of booted.toReversed()) await service.close();
  throw failed.reason;
};

/**
 * Boots every service in this process, with the modules of production and local Calls.
 * @param metrics metrics of this program itself
 */
export const startInProcess = async (
  dependencies: EnvironmentDependencies,
  metrics: Metrics,
): Promise<RunningServices> => {
  const local: LocalCalls = new Map();
  const logDestination = pino.destination({ dest: dependencies.directory.log, mkdir: true, sync: false });
  const keys = await ServiceKeys.generate();
  const running = await bootTogether(
    installedServices.map((service) => () => {
      const failpoint = failpointVariable(dependencies.start.failpoint, service.name);
      const environment = { ...environmentOf(service.name, dependencies), ...failpoint };
      return service.boot({ environment, local, logDestination });
    }),
  );
  const working = Promise.all(running.map((service) => service.startWork())).then(() => undefined);
  // `awaitEvents` reports the error; it may not listen yet.
  working.catch(() => undefined);
  const handlers = new Map(running.map(({ name, handler }) => [name, handler]));
  const transport = new HttpTransport((service) => `http://${service}.invalid`, new ProofMint('standalone', keys));
  return {
    working,
    publicHandlers: handlers,
    internalHandlers: handlers,
    calls: new RoutedCalls('standalone', local, transport, metrics),
    keys: () => keys.published,
    readiness: async () =>
      Object.fromEntries(
        await Promise.all(running.map(async (service) => [service.name, await service.isReady()] as const)),
      ),
    metrics: async () =>
      mergeMetrics(
        await Promise.all([
          ...running.map((service) => service.metrics.registry.metrics()),
          metrics.registry.metrics(),
        ]),
      ),
    close: async () => {
      for (const service of running.toReversed()) await service.close();
      logDestination.flushSync();
    },
  };
};
