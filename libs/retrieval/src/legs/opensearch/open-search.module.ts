import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ReadinessChecks } from '@acervo/platform-http';
import { Metrics } from '@acervo/platform-observability';
import { LexicalConfig, ranksInOpenSearch } from '../lexical-config';
import { OpenSearchEngine } from './open-search-engine';
import { ShardFigures } from './shard-figures';

const openEngine = (config: LexicalConfig, metrics: Metrics): OpenSearchEngine =>
  new OpenSearchEngine(
    {
      url: config.openSearchUrl,
      user: config.openSearchUser,
      password: config.openSearchPassword,
      certificates: ranksInOpenSearch(config) ? config.openSearchCertificates : null,
      prefix: config.openSearchPrefix,
      replicas: config.openSearchReplicas,
      searchTimeoutMs: config.openSearchTimeoutMs,
    },
    metrics,
  );

/** Access to OpenSearch. Its client is loaded by the first request; where the database ranks words there is none. */
@Module({
  providers: [ShardFigures, { provide: OpenSearchEngine, inject: [LexicalConfig, Metrics], useFactory: openEngine }],
  exports: [OpenSearchEngine],
})
export class OpenSearchModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly config: LexicalConfig,
    private readonly engine: OpenSearchEngine,
    private readonly shards: ShardFigures,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    // Optional, because the vector leg answers without it.
    if (ranksInOpenSearch(this.config))
      this.readiness.add({ name: 'opensearch', optional: true, check: () => this.engine.ping() });
  }

  onApplicationBootstrap(): void {
    if (ranksInOpenSearch(this.config)) this.shards.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }
}
