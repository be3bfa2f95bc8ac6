import { Module } from '@nestjs/common';
import { OperationsModule, operationsService } from '@acervo/operations';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';

@Module({ imports: [PlatformModule.forService(operationsService), OperationsModule] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: operationsService, module: AppModule };
