import { Module } from '@nestjs/common';
import { EmbeddingConfig } from '@acervo/platform-service';
import { Embedders } from './embedders';

/**
 * The embedders that the configuration names. It is the entry `@acervo/models/nest`: CPU threads import the other
 * entry, which loads no Nest.
 */
@Module({
  providers: [
    { provide: Embedders, inject: [EmbeddingConfig], useFactory: (config: EmbeddingConfig) => Embedders.from(config) },
  ],
  exports: [Embedders],
})
export class EmbeddersModule {}
