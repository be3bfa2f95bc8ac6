import type { QueueOptions } from 'bullmq';
import { type RedisClient, redisOptions } from '@acervo/platform-redis';
import { JobBackend } from './job-backend';

/** The product does not read the job events that the library stores. */
const JOURNAL = { events: { maxLen: 100 } };

/** Jobs in Redis, or Valkey. The owner of the client closes it; queues and workers open connections of their own. */
export class RedisJobs extends JobBackend {
  override readonly remote = true;
  override readonly options: QueueOptions;

  constructor(private readonly redis: RedisClient) {
    super();
    const { settings } = redis;
    this.options = { connection: redisOptions(settings), prefix: `${settings.prefix}:jobs`, streams: JOURNAL };
  }

  override ping(): Promise<void> {
    return this.redis.ping();
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}
