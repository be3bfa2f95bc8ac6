import type { RedisClient } from '@acervo/platform-redis';
import type { Counted } from './counters';
import { countedOf, type RatedName, Rates, spacingOf } from './rates';

/** The time at which a counter is used up, in microseconds by the clock of the server; one atomic step. */
const ADMIT = `
local every, ahead = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local used_up_at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
if used_up_at - ahead > now then return used_up_at - ahead - now end
local next = used_up_at + every
redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
return 0`;

/** Counts in Redis, for all replicas together. A failed count is an error, never an admission. */
export class RedisRates extends Rates {
  constructor(
    private readonly redis: RedisClient,
    /** The service of the counters: names of two services never collide. */
    private readonly owner: string,
  ) {
    super();
  }

  override async admit(counters: readonly RatedName[]): Promise<Counted> {
    return countedOf(await Promise.all(counters.map((counter) => this.waitOf(counter))));
  }

  /** Keys expire by themselves. */
  override prune(): Promise<void> {
    return Promise.resolve();
  }

  private async waitOf({ name, rate }: RatedName): Promise<number> {
    const { every, ahead } = spacingOf(rate);
    const micros = [every, ahead].map((seconds) => Math.round(seconds * 1e6));
    const wait = await this.redis.run(ADMIT, `rate:${this.owner}:${name}`, micros);
    // Any other answer would admit every request.
    if (typeof wait !== 'number') throw new Error('A rate was not counted.');
    return wait / 1e6;
  }
}
