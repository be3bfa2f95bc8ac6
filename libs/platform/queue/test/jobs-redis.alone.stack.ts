import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { RedisClient } from '@acervo/platform-redis';
import { actOnEngine, describeOnStack, stackVariable } from '@acervo/platform-testing';
import { type JobBackend, RedisJobs } from '../src';
import { behavesLikeJobs, STAGE, World } from './jobs.behaviour';

const clients: RedisClient[] = [];
const prefix = `test-${randomUUID()}`;
const open = (): JobBackend => {
  const client = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix });
  clients.push(client);
  return new RedisJobs(client);
};

describeOnStack('Redis', ['postgres', 'redis'], () => {
  afterAll(() => clients.forEach((each) => each.close()));

  behavesLikeJobs('Redis', open);

  describe('bells whose Redis fails', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.begin(open);
    }, 60_000);
    afterEach(async () => {
      await actOnEngine('redis', 'start').catch(() => undefined);
      await world.rest();
    });
    afterAll(() => world.end());

    it('do not hold up the work that rings, and are rung anew when it is back', async () => {
      const groupId = randomUUID();
      const doorbells = world.bells();
      world.answer(doorbells);
      const ids = await world.put(groupId, 20);
      await actOnEngine('redis', 'kill');
      const began = Date.now();
      await doorbells.ring(groupId, STAGE.name);
      expect(Date.now() - began).toBeLessThan(6_000);
      await expect(doorbells.ping()).rejects.toThrow('Redis does not answer');
      await actOnEngine('redis', 'start');
      world.ringer(doorbells, 500).start();
      expect(await world.timesDone(ids, 45_000)).toEqual(ids.map(() => 1));
    }, 90_000);

    it('are rung anew when everything in it is gone', async () => {
      const groupId = randomUUID();
      const doorbells = world.bells();
      const ids = await world.put(groupId, 60);
      await doorbells.ring(groupId, STAGE.name);
      world.answer(doorbells, () => pause(20));
      world.ringer(doorbells, 500).start();
      const client = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix });
      await client.run(`return redis.call('FLUSHALL')`, 'all', []);
      client.close();
      expect(await world.timesDone(ids, 45_000)).toEqual(ids.map(() => 1));
    }, 90_000);

    it('close while it is away', async () => {
      const doorbells = world.bells();
      world.answer(doorbells);
      await doorbells.ring(randomUUID(), STAGE.name);
      await actOnEngine('redis', 'kill');
      const began = Date.now();
      await doorbells.close();
      expect(Date.now() - began).toBeLessThan(15_000);
      await actOnEngine('redis', 'start');
    }, 60_000);
  });
});
