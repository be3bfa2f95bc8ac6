import { Module } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { Counters, PostgresCounters, PostgresRates, Rates, RedisCounters } from '@acervo/platform-counters';
import { Database } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { CountersConfig } from '../settings/counters-config';
import { ratesInRedis } from './shared-rates';
import { DatabaseModule } from './database.module';
import { ObservabilityModule } from './observability.module';
import { RedisAccess } from './redis-access';
import { RedisModule } from './redis.module';

const BACKEND = [SERVICE_NAME, CountersConfig, RedisAccess, Database];

/** Counts of attempts and requests, in the database or in Redis. */
@Module({
  imports: [DatabaseModule, ObservabilityModule, RedisModule],
  providers: [
    {
      provide: Counters,
      inject: BACKEND,
      useFactory: (
        service: ServiceName,
        { counters }: CountersConfig,
        redis: RedisAccess,
        database: Database,
      ): Counters =>
        counters === 'redis' ? new RedisCounters(redis.client, service) : new PostgresCounters(database, service),
    },
    {
      provide: Rates,
      inject: [...BACKEND, Logger],
      useFactory: (
        service: ServiceName,
        { counters }: CountersConfig,
        redis: RedisAccess,
        database: Database,
        logger: Logger,
      ): Rates =>
        counters === 'redis' ? ratesInRedis(redis.client, service, logger) : new PostgresRates(database, service),
    },
  ],
  exports: [Counters, Rates],
})
export class CountersModule {}
