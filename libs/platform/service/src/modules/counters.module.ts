import { Module } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { Counters, PostgresCounters, PostgresRates, Rates, RedisCounters, RedisRates } from '@acervo/platform-counters';
import { Database } from '@acervo/platform-database';
import { RedisClient } from '@acervo/platform-redis';
import { CountersConfig } from '../counters-config';
import { DatabaseModule } from './database.module';
import { RedisModule } from './redis.module';

const BACKEND = [SERVICE_NAME, CountersConfig, RedisClient, Database];

/** Counts of attempts and requests, in the database or in Redis. */
@Module({
  imports: [DatabaseModule, RedisModule],
  providers: [
    {
      provide: Counters,
      inject: BACKEND,
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
    {
      provide: Rates,
      inject: BACKEND,
      useFactory: (
        service: ServiceName,
        { counters }: CountersConfig,
        redis: RedisClient | null,
        database: Database,
      ): Rates =>
        counters === 'redis' && redis !== null ? new RedisRates(redis, service) : new PostgresRates(database, service),
    },
  ],
  exports: [Counters, Rates],
})
export class CountersModule {}
