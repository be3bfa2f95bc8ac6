import { Module } from '@nestjs/common';
import { IngestionModule, ingestionService } from '@acervo/ingestion';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';

@Module({ imports: [PlatformModule.forService(ingestionService), IngestionModule] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: ingestionService, module: AppModule };
