import type { RequestListener } from 'node:http';
import { type RunningServer, serve } from '@acervo/platform-http';
import type { Metrics } from '@acervo/platform-observability';
import { internalDispatcher } from './dispatcher';
import type { EnvironmentDependencies } from './environment';
import { startInProcess } from './in-process';
import type { StartOptions } from '../kernel/options';
import { startProcesses } from './processes';
import type { RunningServices } from './running';

/**
 * Starts all services, in this process or in one process each. With one process each, the internal server starts first.
 * @param metrics metrics of this program itself
 */
export const startServices = async (
  engines: Omit<EnvironmentDependencies, 'publicPort' | 'internalUrl'>,
  options: StartOptions,
  metrics: Metrics,
): Promise<{ services: RunningServices; internal: RunningServer | undefined }> => {
  const dependencies = { ...engines, publicPort: options.port, internalUrl: 'http://{service}.invalid' };
  if (!options.processes) return { services: await startInProcess(dependencies, metrics), internal: undefined };
  // Starting services request the keys of this server, so that it has to listen before them.
  const behind: { services?: RunningServices } = {};
  const answer: RequestListener = (request, response) => {
    if (behind.services === undefined) response.writeHead(503).end();
    else internalDispatcher(behind.services.internalHandlers, behind.services)(request, response);
  };
  const internal = await serve('internal', answer, '127.0.0.1', 0);
  behind.services = await startProcesses(dependencies, internal.port, metrics);
  return { services: behind.services, internal };
};
