import type { RequestListener } from 'node:http';
import { type RunningServer, serve } from '@acervo/platform-http';
import type { Metrics } from '@acervo/platform-observability';
import { internalDispatcher } from './dispatcher';
import type { EnvironmentParts } from './environment';
import { startInProcess } from './in-process';
import type { StartOptions } from './options';
import { startProcesses } from './processes';
import type { RunningServices } from './running';

/**
 * Starts all services, in this process or in one each; the server for what is internal comes along where they need it to
 * begin. @param metrics figures of this program itself
 */
export const startServices = async (
  engines: Omit<EnvironmentParts, 'publicPort' | 'internalUrl'>,
  options: StartOptions,
  metrics: Metrics,
): Promise<{ services: RunningServices; internal: RunningServer | undefined }> => {
  const parts = { ...engines, publicPort: options.port, internalUrl: 'http://{service}.invalid' };
  if (!options.processes) return { services: await startInProcess(parts, metrics), internal: undefined };
  // Its keys are asked for by the services while they start, so this server must be there before them.
  const behind: { services?: RunningServices } = {};
  const answer: RequestListener = (request, response) => {
    if (behind.services === undefined) response.writeHead(503).end();
    else internalDispatcher(behind.services.internalHandlers, behind.services)(request, response);
  };
  const internal = await serve('internal', answer, '127.0.0.1', 0);
  behind.services = await startProcesses(parts, internal.port, metrics);
  return { services: behind.services, internal };
};
