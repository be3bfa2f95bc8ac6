import { Module } from '@nestjs/common';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';
import { RetrievalModule, retrievalService } from '@acervo/retrieval';

@Module({ imports: [PlatformModule.forService(retrievalService), RetrievalModule] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: retrievalService, module: AppModule };
