import { randomUUID } from 'node:crypto';
import type { RedisClient } from '@acervo/platform-redis';
import { type Counted, Counters, type Limit } from './counters';

/** The times of the last hits of a name, by the clock of the server; one atomic step for concurrent callers. */
const TAKE = `
local most, window, member = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
if redis.call('ZCARD', KEYS[1]) < most then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), member)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
  return 0
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return math.max(1, math.ceil((oldest[2] + window - now) / 1000000))`;

const GIVE_BACK = `return redis.call('ZPOPMAX', KEYS[1])`;

/** Counts in Redis. A failed count is an error, never an admission. */
export class RedisCounters extends Counters {
  constructor(
    private readonly redis: RedisClient,
    /** The service of the counts: names of two services never collide. */
    private readonly owner: string,
  ) {
    super();
  }

  override async take(name: string, { most, seconds }: Limit): Promise<Counted> {
    const wait = await this.redis.run(TAKE, this.key(name), [most, Math.ceil(seconds * 1e6), randomUUID()]);
    // Any other answer would admit every request.
    if (typeof wait !== 'number') throw new Error('A count was not stored.');
    return { admitted: wait === 0, retryAfterSeconds: wait };
  }

  override async giveBack(name: string): Promise<void> {
    await this.redis.run(GIVE_BACK, this.key(name), []);
  }

  /** Keys expire by themselves. */
  override prune(): Promise<void> {
    return Promise.resolve();
  }

  private key(name: string): string {
    return `count:${this.owner}:${name}`;
  }
}
