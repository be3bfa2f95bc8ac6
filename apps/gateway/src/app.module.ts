import { gatewayService } from '@acervo/gateway';

/** What this program runs; the one-machine program runs the same. */
export const app = gatewayService;
