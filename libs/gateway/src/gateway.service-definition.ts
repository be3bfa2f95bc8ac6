import type { ServiceDefinition } from '@acervo/platform-service';

/**
 * The public representation: `/v1` and its description. Presents the calls of the other services and decides nothing.
 */
export const gatewayService: ServiceDefinition = { name: 'gateway', config: [], documented: true };
