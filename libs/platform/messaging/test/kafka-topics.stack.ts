import { randomUUID } from 'node:crypto';
import { documentIndexed } from '@acervo/contracts';
import { describeOnStack, type TestDatabase } from '@acervo/platform-testing';
import { type KafkaSettings, openKafka } from '../src/kafka';
import { testKafka, transportOf } from './kafka-way';
import { openMessaging, silent, until } from './support';

const HOUR_MS = 3_600_000;

describeOnStack('the topics of Kafka', ['kafka', 'postgres'], () => {
  let server: TestDatabase;
  let settings: KafkaSettings;

  /** Creates a topic before any service does, as a foreign program would. */
  const make = async (numPartitions: number, configEntries: { name: string; value: string }[] = []): Promise<void> => {
    const admin = openKafka(settings, silent).admin();
    await admin.connect();
    const topic = `${settings.prefix}${documentIndexed.topic}`;
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions, configEntries }] });
    // A broker does not know a new topic at once.
    const isKnown = async (): Promise<boolean> => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] }).catch(() => ({ topics: [] }));
      return topics.some(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
    };
    await until('the topic is there', isKnown, 20_000);
    await admin.disconnect();
  };
  const started = async (wanted: KafkaSettings = settings): Promise<void> => {
    const transport = transportOf(server, 'ingestion', wanted);
    try {
      await transport.start();
    } finally {
      await transport.stop();
    }
  };

  beforeAll(async () => {
    server = await openMessaging();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    settings = testKafka();
  });

  it('topics with too few partitions prevent the start', async () => {
    await make(2);
    await expect(started()).rejects.toThrow(/has 2 partitions where 3 are wanted/);
  });

  it('topics that can never be created prevent the start', async () => {
    await expect(started({ ...settings, replication: 3 })).rejects.toThrow(/: INVALID_REPLICATION_FACTOR/);
  });

  it('topics are checked before any work starts', async () => {
    await make(2);
    const transport = transportOf(server, 'ingestion', settings);
    await expect(transport.check()).rejects.toThrow(/has 2 partitions where 3 are wanted/);
    await transport.stop();
  });

  it('topics with too few copies prevent the start', async () => {
    await started();
    await expect(started({ ...settings, replication: 2 })).rejects.toThrow(
      /has 1 copies of a partition where 2 are wanted/,
    );
  });

  it.each([
    ['cleanup.policy', 'compact', 'has cleanup.policy compact where delete is wanted'],
    ['retention.ms', String(HOUR_MS), `has retention.ms ${HOUR_MS} where at least ${72 * HOUR_MS} is wanted`],
    ['retention.bytes', '1000000', 'has retention.bytes 1000000 where -1 is wanted'],
    ['max.message.bytes', '1000', 'has max.message.bytes 1000 where at least 1048588 is wanted'],
  ])('topics where %s is %s prevent the start: events would be lost', async (name, value, reported) => {
    await make(3, [{ name, value }]);
    await expect(started()).rejects.toThrow(reported);
  });

  it('topics may keep events longer than required', async () => {
    await make(3, [{ name: 'retention.ms', value: '-1' }]);
    await expect(started()).resolves.toBeUndefined();
  });

  it('topics are created with the wanted in-sync copies; fewer prevent the start', async () => {
    await started();
    await expect(started({ ...settings, minInSync: 2 })).rejects.toThrow(
      /has min.insync.replicas 1 where at least 2 is wanted/,
    );
    settings = { ...testKafka(), minInSync: 1 };
    await started();
    await expect(started()).resolves.toBeUndefined();
  });

  it('topics with fewer copies than in-sync ones prevent the start', async () => {
    const wanted = { ...settings, replication: -1, minInSync: 2 };
    await expect(started(wanted)).rejects.toThrow(/has 1 copies of a partition where 2 are wanted/);
  });

  it('topics accept a batch of large events in pieces', async () => {
    settings = { ...settings, partitions: 1 };
    const both = [transportOf(server, 'retrieval', settings), transportOf(server, 'ingestion', settings)];
    const COUNT = 150;
    await server.asOwner(
      'retrieval',
      `insert into retrieval.outbox (lane, group_id, topic, event_key, payload, cause)
       select 1, $1, $2, 'k', jsonb_build_object('number', n, 'text', repeat('x', 20000)), 'test' from generate_series(1, ${COUNT}) n`,
      [randomUUID(), documentIndexed.topic],
    );
    for (const each of both) await each.start();
    const arrived = async (): Promise<unknown[]> =>
      (await server.asOwner('ingestion', `select payload->'number' as n from ingestion.incoming order by id`)).map(
        ({ n }) => n,
      );
    await until('all arrive', async () => (await arrived()).length >= COUNT, 20_000);
    expect(await arrived()).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
    await Promise.all(both.map((each) => each.stop()));
  });
});
