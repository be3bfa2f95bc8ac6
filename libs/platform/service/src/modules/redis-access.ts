import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RedisClient } from '@acervo/platform-redis';
import { LimitsConfig } from '../settings/limits-config';
import { RedisConfig, redisSettings } from '../settings/redis-config';
import { WorkConfig } from '../settings/work-config';

/** Redis, where the configuration stores work signals or counts there; otherwise no client of it is opened. */
@Injectable()
export class RedisAccess implements OnApplicationShutdown {
  private opened: RedisClient | undefined;

  constructor(
    private readonly config: RedisConfig,
    private readonly work: WorkConfig,
    private readonly limits: LimitsConfig,
  ) {}

  /** Whether the service stores anything in Redis. */
  get isUsed(): boolean {
    return this.work.queue === 'redis' || this.limits.counters === 'redis';
  }

  /** The one client of the application; opened for the first adapter that needs it. @throws InvalidRedisUrl */
  get client(): RedisClient {
    return (this.opened ??= new RedisClient(redisSettings(this.config)));
  }

  /** Checks that a Redis in use persists its data. @throws RedisRefused with the settings to change, EngineDown */
  async assertDurable(): Promise<void> {
    if (this.isUsed) await this.client.assertDurable();
  }

  onApplicationShutdown(): void {
    this.opened?.close();
  }
}
