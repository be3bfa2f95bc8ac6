import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { RedisClient } from '@acervo/platform-redis';
import { actOnEngine, describeOnStack, eventually, stackVariable } from '@acervo/platform-testing';
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

  describe('work signals whose Redis fails', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.begin(open);
    });
    afterEach(async () => {
      await actOnEngine('redis', 'start').catch(() => undefined);
      await world.rest();
    });
    afterAll(() => world.end());

    it('an absent Redis delays no work, and signals are repeated later', async () => {
      const groupId = randomUUID();
      const workSignals = await world.openSignals();
      world.answer(workSignals);
      const ids = await world.put(groupId, 20);
      await actOnEngine('redis', 'kill');
      await eventually('the signal', () => workSignals.notify(groupId, STAGE.name).then(() => true), 6_000);
      await expect(workSignals.ping()).rejects.toThrow('Redis does not answer');
      await actOnEngine('redis', 'start');
      world.taskReconciler(workSignals, 500).start();
      expect(await world.timesDone(ids)).toEqual(ids.map(() => 1));
    });

    it('signals are repeated when Redis has lost all data', async () => {
      const groupId = randomUUID();
      const workSignals = await world.openSignals();
      const ids = await world.put(groupId, 60);
      await workSignals.notify(groupId, STAGE.name);
      world.answer(workSignals, () => pause(20));
      world.taskReconciler(workSignals, 500).start();
      const client = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix });
      await client.run(`return redis.call('FLUSHALL')`, 'all', []);
      client.close();
      expect(await world.timesDone(ids)).toEqual(ids.map(() => 1));
    });

    it('work signals close while Redis is away', async () => {
      const workSignals = await world.openSignals();
      world.answer(workSignals);
      await workSignals.notify(randomUUID(), STAGE.name);
      await actOnEngine('redis', 'kill');
      await eventually(
        'the end',
        () =>
          world
            .queueOf(workSignals)
            .close()
            .then(() => true),
        15_000,
      );
      await actOnEngine('redis', 'start');
    });
  });
});
