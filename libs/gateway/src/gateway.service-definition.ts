import type { ServiceDefinition } from '@acervo/platform-service';
import { GatewayConfig } from './gateway.config';

/**
 * The public representation: `/v1` and its description. Presents the calls of the other services and decides nothing.
 */
export const gatewayService: ServiceDefinition = { name: 'gateway', config: [GatewayConfig], documented: true };
