import { Module } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { EmbeddingConfig } from '@acervo/platform-service';
import { publishLoad, requestsIn } from './embedder-metrics';
import { Embedders } from './embedders';

export { embedderMetrics } from './embedder-metrics';

const openEmbedders = (config: EmbeddingConfig, metrics: Metrics): Embedders => {
  const embedders = Embedders.from(config, requestsIn(metrics));
  publishLoad(metrics, embedders);
  return embedders;
};

/**
 * The embedders that the configuration names. It is the entry `@acervo/models/nest`: CPU threads import the other
 * entry, which loads no Nest.
 */
@Module({
  providers: [{ provide: Embedders, inject: [EmbeddingConfig, Metrics], useFactory: openEmbedders }],
  exports: [Embedders],
})
export class EmbeddersModule {}
