import { Inject, Module, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { RedisClient } from '@acervo/platform-redis';
import { LimitsConfig } from '../settings/limits-config';
import { RedisConfig, redisSettings } from '../settings/redis-config';
import { WorkConfig } from '../settings/work-config';

/** A Redis client where the configuration uses Redis, else null. */
@Module({
  providers: [
    {
      provide: RedisClient,
      inject: [RedisConfig, WorkConfig, LimitsConfig],
      useFactory: (redis: RedisConfig, { queue }: WorkConfig, { counters }: LimitsConfig): RedisClient | null =>
        queue === 'redis' || counters === 'redis' ? new RedisClient(redisSettings(redis)) : null,
    },
  ],
  exports: [RedisClient],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Optional() @Inject(RedisClient) private readonly redis: RedisClient | null) {}

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
