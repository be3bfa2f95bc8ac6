import { randomUUID } from 'node:crypto';
import { EngineDown } from '@acervo/contracts';
import { RedisClient, type RedisSettings } from '@acervo/platform-redis';
import { actOnEngine, describeOnStack, eventually, stackVariable } from '@acervo/platform-testing';
import { RedisCounters, RedisRates } from '../src';
import { behavesLikeCounters } from './counters.behaviour';
import { behavesLikeRates } from './rates.behaviour';

const opened: RedisClient[] = [];
const open = (over: Partial<RedisSettings> = {}): RedisClient => {
  const client = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix: `test-${randomUUID()}`, ...over });
  opened.push(client);
  return client;
};

/** Ages a key: it expires as much earlier. */
const AGE = `
local ttl = redis.call('PTTL', KEYS[1]) - ARGV[1] / 1000
if ttl <= 0 then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], math.floor(ttl))`;
const AGE_COUNT = `
for _, hit in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZINCRBY', KEYS[1], -ARGV[1], hit) end
${AGE}`;
const AGE_RATE = `
redis.call('SET', KEYS[1], string.format('%.0f', redis.call('GET', KEYS[1]) - ARGV[1]), 'KEEPTTL')
${AGE}`;

describeOnStack('Redis', ['redis'], () => {
  afterAll(() => opened.forEach((each) => each.close()));

  const age = (client: RedisClient, script: string, kind: string) => (name: string, seconds: number) =>
    client.run(script, `${kind}:auth:${name}`, [seconds * 1e6]);

  behavesLikeCounters('Redis', () => {
    const client = open();
    return Promise.resolve({ counters: new RedisCounters(client, 'auth'), pass: age(client, AGE_COUNT, 'count') });
  });
  behavesLikeRates('Redis', () => {
    const client = open();
    return Promise.resolve({ rates: new RedisRates(client, 'auth'), pass: age(client, AGE_RATE, 'rate') });
  });

  describe('counts in Redis', () => {
    const LIMIT = { most: 1, seconds: 3_600 };

    it('counts of two services or installations never collide', async () => {
      const client = open();
      const [one, other, elsewhere] = [
        new RedisCounters(client, 'auth'),
        new RedisCounters(client, 'gateway'),
        new RedisCounters(open(), 'auth'),
      ];
      for (const counters of [one, other, elsewhere]) expect((await counters.take('a', LIMIT)).admitted).toBe(true);
      expect((await one.take('a', LIMIT)).admitted).toBe(false);
    });

    it('an outage of Redis admits no request and keeps the counts', async () => {
      const counters = new RedisCounters(open(), 'auth');
      expect((await counters.take('kept', LIMIT)).admitted).toBe(true);
      // Written to its file once a second.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await actOnEngine('redis', 'kill');
      await expect(counters.take('kept', LIMIT)).rejects.toThrow(EngineDown);
      const rated = new RedisRates(open(), 'auth').admit([{ name: 'a', rate: { perMinute: 60, burst: 9 } }]);
      await expect(rated).rejects.toThrow(EngineDown);
      await actOnEngine('redis', 'start');
      await expect(new RedisCounters(open({ prefix: 'other' }), 'auth').take('a', LIMIT)).resolves.toBeDefined();
      const after = await eventually('Redis counts', () => counters.take('kept', LIMIT).catch(() => undefined));
      expect(after.admitted).toBe(false);
    });
  });
});
