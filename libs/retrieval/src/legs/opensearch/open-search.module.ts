import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ReadinessChecks } from '@acervo/platform-http';
import { Metrics } from '@acervo/platform-observability';
import { LexicalConfig } from '../lexical-config';
import { OpenSearchEngine } from './open-search-engine';
import { ShardFigures } from './shard-figures';

const openEngine = (config: LexicalConfig, metrics: Metrics): OpenSearchEngine | null =>
  config.lexical === 'opensearch'
    ? new OpenSearchEngine(
        {
          url: config.openSearchUrl,
          user: config.openSearchUser,
          password: config.openSearchPassword,
          certificates: config.openSearchCertificates,
          prefix: config.openSearchPrefix,
          replicas: config.openSearchReplicas,
          searchTimeoutMs: config.openSearchTimeoutMs,
        },
        metrics,
      )
    : null;

/** The client of OpenSearch if it is configured, else null. */
@Module({
  providers: [ShardFigures, { provide: OpenSearchEngine, inject: [LexicalConfig, Metrics], useFactory: openEngine }],
  exports: [OpenSearchEngine],
})
export class OpenSearchModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(OpenSearchEngine) private readonly engine: OpenSearchEngine | null,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    const { engine } = this;
    // Optional, because the vector leg answers without it.
    if (engine !== null) this.readiness.add({ name: 'opensearch', optional: true, check: () => engine.ping() });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine?.close();
  }
}
