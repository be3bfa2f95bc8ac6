import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundDatabase, type Database } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { PEPPER_AGE } from '../auth.metrics';
import { Peppers } from './peppers';

const AGAIN_MS = 30_000;
/** Stores when the version became current; the first process that has it as current stores it. */
const BEGIN = 'insert into auth.pepper_version (version) values ($1) on conflict do nothing';
const AGE = `select extract(epoch from clock_timestamp() - current_since)::float8 as seconds
from auth.pepper_version where version = $1`;

/** Publishes how long the current version of the key pepper has made new hashes; a scrape computes it from memory. */
@Injectable()
export class PepperFigures implements OnApplicationBootstrap, OnModuleDestroy {
  /** Of this process, in milliseconds; undefined until the database has answered. */
  private since: number | undefined;
  private readonly reads = new Periodic(() => this.read(), { firstMs: 0, everyMs: AGAIN_MS });

  constructor(
    @Inject(BackgroundDatabase) private readonly database: Database,
    private readonly peppers: Peppers,
    metrics: Metrics,
  ) {
    metrics.gauge(PEPPER_AGE, (gauge) => {
      if (this.since === undefined) gauge.remove();
      else gauge.set((performance.now() - this.since) / 1_000);
    });
  }

  onApplicationBootstrap(): void {
    this.reads.start();
  }

  onModuleDestroy(): void {
    void this.reads.stop();
  }

  /** Reads the age once: the versions of a process stay as they are. */
  async read(): Promise<void> {
    const { version } = this.peppers;
    try {
      const [row] = await this.database.ungrouped(async (tx) => {
        await tx.query(BEGIN, [version]);
        return tx.query<{ seconds: number }>(AGE, [version]);
      });
      if (row === undefined) return;
      this.since = performance.now() - row.seconds * 1_000;
      void this.reads.stop();
    } catch {
      // The database is away: asked again later.
    }
  }
}
