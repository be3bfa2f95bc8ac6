import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundDatabase, Database, EventsDatabase } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import { DATABASE_POOL } from './service-metrics';

/** Publishes how the pools of a service are used, as of each scrape. */
@Injectable()
export class PoolFigures implements OnModuleInit {
  private readonly pools: Readonly<Record<string, Database>>;

  constructor(
    private readonly metrics: Metrics,
    requests: Database,
    events: EventsDatabase,
    background: BackgroundDatabase,
  ) {
    this.pools = { requests, events, background };
  }

  onModuleInit(): void {
    this.metrics.gauge(DATABASE_POOL, (gauge) => {
      for (const [pool, { usage }] of Object.entries(this.pools)) {
        gauge.set({ pool, state: 'in_use' }, usage.inUse);
        gauge.set({ pool, state: 'idle' }, usage.idle);
        gauge.set({ pool, state: 'waiting' }, usage.waiting);
      }
    });
  }
}
