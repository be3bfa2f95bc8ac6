import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { SHARDS } from '../../retrieval.metrics';
import { OpenSearchEngine } from './open-search-engine';

const EVERY_MS = 60_000;

/** Publishes how many shards the cluster has and may have: beyond the limit it makes no index for a new group. */
@Injectable()
export class ShardFigures implements OnModuleDestroy {
  private readonly shards;
  private readonly rounds = new Periodic(() => this.measure(), { firstMs: 0, everyMs: EVERY_MS });

  constructor(
    private readonly engine: OpenSearchEngine,
    metrics: Metrics,
  ) {
    this.shards = metrics.gauge(SHARDS);
  }

  /** Begins to measure; called where OpenSearch is used. */
  start(): void {
    this.rounds.start();
  }

  onModuleDestroy(): void {
    void this.rounds.stop();
  }

  /** Where the engine is away, or refuses the question, there is no figure. */
  async measure(): Promise<void> {
    try {
      const { used, limit } = await this.engine.shards();
      this.shards.set({ state: 'used' }, used);
      this.shards.set({ state: 'limit' }, limit);
    } catch {
      this.shards.reset();
    }
  }
}
