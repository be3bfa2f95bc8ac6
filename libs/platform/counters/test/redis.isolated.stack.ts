import { randomUUID } from 'node:crypto';
import { EngineDown } from '@acervo/contracts';
import { RedisClient, type RedisSettings } from '@acervo/platform-redis';
import { actOnEngine, describeOnStack, stackVariable } from '@acervo/platform-testing';
import { RedisCounters, RedisRates } from '../src';
import { behavesLikeCounters } from './counters.behaviour';
import { behavesLikeRates } from './rates.behaviour';

const opened: RedisClient[] = [];
const open = (over: Partial<RedisSettings> = {}): RedisClient => {
  const client = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix: `test-${randomUUID()}`, ...over });
  opened.push(client);
  return client;
};

describeOnStack('Redis', ['redis'], () => {
  afterAll(() => opened.forEach((each) => each.close()));

  behavesLikeCounters('Redis', () => Promise.resolve(new RedisCounters(open(), 'auth')));
  behavesLikeRates('Redis', () => Promise.resolve(new RedisRates(open(), 'auth')));

  describe('counts in Redis', () => {
    const LIMIT = { most: 1, seconds: 60 };

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
      const began = Date.now();
      await expect(counters.take('kept', LIMIT)).rejects.toThrow(EngineDown);
      const rated = new RedisRates(open(), 'auth').admit([{ name: 'a', rate: { perMinute: 60, burst: 9 } }]);
      await expect(rated).rejects.toThrow(EngineDown);
      expect(Date.now() - began).toBeLessThan(8_000);
      await actOnEngine('redis', 'start');
      await expect(new RedisCounters(open({ prefix: 'other' }), 'auth').take('a', LIMIT)).resolves.toBeDefined();
      let after = await counters.take('kept', LIMIT).catch(() => undefined);
      for (let turn = 0; after === undefined && turn < 20; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        after = await counters.take('kept', LIMIT).catch(() => undefined);
      }
      expect(after?.admitted).toBe(false);
    });
  });
});
