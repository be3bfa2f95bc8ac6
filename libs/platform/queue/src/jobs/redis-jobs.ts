import { type Processor, Queue, Worker } from 'bullmq';
import { type RedisClient, redisOptions } from '@acervo/platform-redis';
import { JobBackend, type Ring, type RingQueue, type RingWorker, WORKER } from './job-backend';

/** Longest that a ring waits for a server that is away: the ringer rings anew, and the work that rang goes on. */
const RING_MS = 2_000;
/** Nobody reads the journal that the library keeps of jobs. */
const JOURNAL = { events: { maxLen: 100 } };

/** Jobs in Redis, or Valkey. The client is another's, who closes it; queues and workers have connections of their own. */
export class RedisJobs extends JobBackend {
  override readonly remote = true;
  private readonly prefix: string;

  constructor(private readonly redis: RedisClient) {
    super();
    this.prefix = `${redis.settings.prefix}:jobs`;
  }

  override openQueue(name: string): RingQueue {
    const connection = { ...redisOptions(this.redis.settings), commandTimeout: RING_MS, maxRetriesPerRequest: 1 };
    return new Queue(name, { connection, prefix: this.prefix, streams: JOURNAL });
  }

  override openWorker(name: string, work: Processor<Ring, void>, concurrency: number): RingWorker {
    // A worker waits for its server as long as that takes.
    const connection = { ...redisOptions(this.redis.settings), maxRetriesPerRequest: null };
    return new Worker(name, work, { connection, prefix: this.prefix, concurrency, ...WORKER });
  }

  override ping(): Promise<void> {
    return this.redis.ping();
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}
