import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { Counters, PostgresCounters, RedisCounters } from '@acervo/platform-counters';
import { Database } from '@acervo/platform-database';
import { ReadinessChecks } from '@acervo/platform-http';
import { RedisClient } from '@acervo/platform-redis';
import { CountersConfig } from '../counters-config';
import { WorkConfig } from '../work-config';
import { DatabaseModule } from './database.module';
import { RedisModule } from './redis.module';

/** Counts of attempts and requests, in the database or in Redis. */
@Module({
  imports: [DatabaseModule, RedisModule],
  providers: [
    {
      provide: Counters,
      inject: [SERVICE_NAME, CountersConfig, RedisClient, Database],
      useFactory: (
        service: ServiceName,
        { counters }: CountersConfig,
        redis: RedisClient | null,
        database: Database,
      ): Counters =>
        counters === 'redis' && redis !== null
          ? new RedisCounters(redis, service)
          : new PostgresCounters(database, service),
    },
  ],
  exports: [Counters],
})
export class CountersModule implements OnModuleInit {
  constructor(
    @Inject(RedisClient) private readonly redis: RedisClient | null,
    private readonly work: WorkConfig,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    const { redis } = this;
    // Where the queue uses Redis too, its own check reports it. Without Redis, counted requests are refused; all others
    // continue.
    if (redis === null || this.work.queue === 'redis') return;
    this.readiness.add({ name: 'counters', optional: true, check: () => redis.ping() });
  }
}
