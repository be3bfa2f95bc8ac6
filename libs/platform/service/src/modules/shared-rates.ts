import { MemoryRates, type Rates, RedisRates, StandInRates } from '@acervo/platform-counters';
import type { Logger } from '@acervo/platform-observability';
import type { RedisClient } from '@acervo/platform-redis';

/** Rates in Redis for all processes; while it is away, each process counts for itself (ADR 33). */
export const ratesInRedis = (redis: RedisClient, service: string, logger: Logger): Rates =>
  new StandInRates(new RedisRates(redis, service), new MemoryRates(), (away) => {
    if (away === undefined) logger.info('Redis counts requests again, for all processes together');
    else
      logger.warn({ error: away.error }, 'Redis counts no requests: each process counts for itself until it is back');
  });
