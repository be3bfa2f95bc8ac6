import { contractedInternalRoutes, contractedPublicRoutes, contractedVersionRoutes } from '@acervo/contracts';
import type { RunningService } from '@acervo/platform-service';
import { servedBy } from './routes';

/** Names of parameters are no part of the contract. */
const comparable = (route: string): string =>
  route.replace(/\\:/g, ':').replace(/:\w+(?=\/|:|$)/g, (name) => (name === ':execute' ? name : ':'));

/** Routes of the contract that no service serves. */
export const unservedRoutes = (services: readonly RunningService[]): string[] => {
  const served = new Set(services.flatMap(servedBy).map(comparable));
  return [...contractedPublicRoutes, ...contractedVersionRoutes, ...contractedInternalRoutes].filter(
    (route) => !served.has(comparable(route)),
  );
};
