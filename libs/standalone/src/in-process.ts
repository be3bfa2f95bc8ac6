import { pino } from 'pino';
import { HttpTransport, type LocalCalls, ProofMint, RoutedCalls, ServiceKeys } from '@acervo/platform-calls';
import { readiness } from '@acervo/platform-http';
import type { Metrics } from '@acervo/platform-observability';
import type { RunningService } from '@acervo/platform-service';
import { type EnvironmentParts, environmentOf, failpointVariable } from './environment';
import { mergeMetrics } from './metrics-text';
import type { RunningServices } from './running';
import { installedServices } from './service-list';

/**
 * Boots every service in this process: exactly the modules of production, asking each other directly.
 * @param metrics figures of this program itself
 */
export const startInProcess = async (parts: EnvironmentParts, metrics: Metrics): Promise<RunningServices> => {
  const local: LocalCalls = new Map();
  const logDestination = pino.destination({ dest: parts.directory.log, mkdir: true, sync: false });
  const keys = await ServiceKeys.generate();
  const running: RunningService[] = [];
  for (const service of installedServices)
    running.push(
      await service.boot(
        { ...environmentOf(service.name, parts), ...failpointVariable(parts.start.failpoint, service.name) },
        { local, logDestination },
      ),
    );
  const working = Promise.all(running.map((service) => service.startWork())).then(() => undefined);
  // Told to whoever waits for it, which may be nobody just now.
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
        await Promise.all(
          running.map(async (service) => [service.name, (await readiness(service.readiness)).ready] as const),
        ),
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
