import { Module } from '@nestjs/common';
import { GatewayModule, gatewayService } from '@acervo/gateway';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';

@Module({ imports: [PlatformModule.forService(gatewayService), GatewayModule] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: gatewayService, module: AppModule };
