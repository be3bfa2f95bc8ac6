import type { Admin } from 'kafkajs';
import type { KafkaSettings } from './kafka-client';
import { ensureTopics, TopicsUnusable } from './topics';

const SETTINGS: KafkaSettings = {
  ...{ brokers: [], clientId: 'test', prefix: 'test.', partitions: 1, replication: -1 },
};

/** A broker whose topics have this many replicas, and settings as requested. */
const brokerWith = (copies: number): Admin => {
  let asked: readonly { topic: string; configEntries: { name: string; value: string }[] }[] = [];
  const replicas = Array.from({ length: copies }, (_, index) => index);
  return {
    listTopics: () => Promise.resolve([]),
    createTopics: ({ topics }: { topics: typeof asked }) => {
      asked = topics;
      return Promise.resolve(true);
    },
    fetchTopicMetadata: () =>
      Promise.resolve({ topics: asked.map(({ topic }) => ({ name: topic, partitions: [{ replicas }] })) }),
    describeConfigs: () =>
      Promise.resolve({
        resources: asked.map(({ topic, configEntries }) => ({
          resourceName: topic,
          configEntries: configEntries.map(({ name, value }) => ({ configName: name, configValue: value })),
        })),
      }),
  } as unknown as Admin;
};
const look = (copies: number, more: Partial<KafkaSettings>): Promise<void> =>
  ensureTopics(brokerWith(copies), ['document.indexed.v1'], { ...SETTINGS, ...more });

describe('topics', () => {
  it.each([
    [1, { minInSync: 2 }, 2],
    [1, { replication: 2 }, 2],
    [2, { replication: 2, minInSync: 3 }, 3],
  ])('topics with %i copies are refused where %j is wanted', async (copies, more, wanted) => {
    const looked = look(copies, more);
    await expect(looked).rejects.toBeInstanceOf(TopicsUnusable);
    await expect(looked).rejects.toThrow(`has ${copies} copies of a partition where ${wanted} are wanted`);
  });
  it.each([
    [1, {}],
    [1, { minInSync: 1 }],
    [3, { minInSync: 2 }],
    [3, { replication: 3, minInSync: 2 }],
  ])('topics with %i copies are accepted where %j is wanted', async (copies, more) => {
    await expect(look(copies, more)).resolves.toBeUndefined();
  });

  it('topics that exist are not created, which takes a right of its own', async () => {
    const made = brokerWith(1);
    await ensureTopics(made, ['document.indexed.v1'], SETTINGS);
    const refusing = Object.assign(made, {
      listTopics: () => Promise.resolve(['test.document.indexed.v1']),
      createTopics: () => Promise.reject(new Error('not authorized')),
    });
    await expect(ensureTopics(refusing, ['document.indexed.v1'], SETTINGS)).resolves.toBeUndefined();
  });
});
