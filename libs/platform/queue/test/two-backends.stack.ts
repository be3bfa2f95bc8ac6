import { randomUUID } from 'node:crypto';
import { PostgresQueueBackend, RedisQueueBackend } from 'bullmq';
import { QUEUE_ROLE } from '@acervo/platform-database';
import { RedisClient } from '@acervo/platform-redis';
import { describeOnStack, stackVariable } from '@acervo/platform-testing';
import { PostgresJobs, RedisJobs } from '../src';
import { STAGE, World } from './jobs.behaviour';

describeOnStack('two applications of one process', ['postgres', 'redis'], () => {
  const redis = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix: `test-${randomUUID()}` });
  const worlds: World[] = [];
  afterAll(async () => {
    for (const world of worlds) await world.end();
    redis.close();
  });

  it('two applications of one process run jobs on separate backends', async () => {
    const onPostgres = await World.begin((server) => new PostgresJobs(server.connection(QUEUE_ROLE)));
    const onRedis = await World.begin(() => new RedisJobs(redis));
    worlds.push(onPostgres, onRedis);
    const both = await Promise.all(
      worlds.map(async (world) => {
        const [workSignals, groupId] = [await world.openSignals(), randomUUID()];
        return { world, workSignals, groupId, ids: await world.put(groupId, 20) };
      }),
    );
    const backends = both.map(({ world, workSignals }) => world.queueOf(workSignals).queue.getBackend());
    const kinds = [PostgresQueueBackend, RedisQueueBackend];
    expect(backends.map((backend) => kinds.findIndex((kind) => (backend as object) instanceof kind))).toEqual([0, 1]);
    for (const { workSignals, groupId } of both) await workSignals.notify(groupId, STAGE.name);
    const waiting = both.map(({ world, workSignals }) => world.queueOf(workSignals).queue.getWaitingCount());
    expect(await Promise.all(waiting)).toEqual([1, 1]);
    for (const { world, workSignals } of both) world.answer(workSignals);
    for (const { world, ids } of both) expect(await world.timesDone(ids)).toEqual(ids.map(() => 1));
  });
});
