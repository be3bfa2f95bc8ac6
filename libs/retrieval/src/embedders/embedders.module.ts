import { Module } from '@nestjs/common';
import { Embedders } from '@acervo/models';
import { EmbeddingConfig } from '@acervo/platform-service';

/** The embedders that the configuration names. */
@Module({
  providers: [
    { provide: Embedders, inject: [EmbeddingConfig], useFactory: (config: EmbeddingConfig) => Embedders.from(config) },
  ],
  exports: [Embedders],
})
export class EmbeddersModule {}
