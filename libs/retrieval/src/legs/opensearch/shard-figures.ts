import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { SHARDS } from '../../retrieval.metrics';
import { OpenSearchEngine } from './open-search-engine';

const EVERY_MS = 60_000;

/** Publishes how many shards the cluster has and may have: beyond the limit it makes no index for a new group. */
@Injectable()
export class ShardFigures implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly shards;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(OpenSearchEngine) private readonly engine: OpenSearchEngine | null,
    metrics: Metrics,
  ) {
    this.shards = engine === null ? undefined : metrics.gauge(SHARDS);
  }

  onApplicationBootstrap(): void {
    if (this.engine === null) return;
    this.timer = setInterval(() => void this.measure(), EVERY_MS).unref();
    void this.measure();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Where the engine is away, or refuses the question, there is no figure. */
  async measure(): Promise<void> {
    try {
      const shards = await this.engine?.shards();
      if (shards === undefined) return;
      this.shards?.set({ state: 'used' }, shards.used);
      this.shards?.set({ state: 'limit' }, shards.limit);
    } catch {
      this.shards?.reset();
    }
  }
}
