import { randomUUID } from 'node:crypto';
import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';
import { documentIndexed } from '@acervo/contracts';
import { describeOnStack, type TestDatabase } from '@acervo/platform-testing';
import { type KafkaSettings, openKafka, Outbox } from '../src';
import { testKafka, transportOf } from './kafka-way';
import { indexed, openMessaging, silent, until } from './support';

/** Another way to divide a topic than ours: the broker refuses members that know different ones, for good. */
const differently: PartitionAssigner = () => ({
  name: 'Differently',
  version: 1,
  assign: () => Promise.resolve([]),
  protocol: ({ topics }) => ({
    name: 'Differently',
    metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) }),
  }),
});

describeOnStack('through Kafka, a service', ['kafka', 'postgres'], () => {
  let server: TestDatabase;
  let settings: KafkaSettings;
  const outbox = new Outbox('retrieval');

  const publish = (): Promise<void> =>
    server
      .database('retrieval')
      .write({ groupId: randomUUID() }, (tx) => outbox.append(tx, documentIndexed, indexed(randomUUID(), 1)));
  const arrived = async (): Promise<number> =>
    (await server.asOwner('ingestion', 'select from ingestion.incoming')).length;

  beforeAll(async () => {
    server = await openMessaging();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    settings = testKafka();
    return server.asOwner('ingestion', 'truncate ingestion.incoming');
  });

  it('that Kafka refuses in its group for good says that it is not there, and is there once it is let in', async () => {
    const [sends, listens] = [transportOf(server, 'retrieval', settings), transportOf(server, 'ingestion', settings)];
    await sends.start();
    const stranger = openKafka(settings, silent).consumer({
      groupId: listens.receiver.group,
      partitionAssigners: [differently],
    });
    await stranger.connect();
    await stranger.subscribe({ topics: [`${settings.prefix}${documentIndexed.topic}`] });
    await stranger.run({ eachMessage: () => Promise.resolve() });
    const started = listens.start();
    await publish();
    await expect(listens.ping()).rejects.toThrow(/is no member of the group/);
    // Long enough for a consumer to have been refused.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await arrived()).toBe(0);
    await stranger.disconnect();
    await until('the event arrives', async () => (await arrived()) === 1, 40_000);
    await started;
    await expect(listens.ping()).resolves.toBeUndefined();
    await Promise.all([sends.stop(), listens.stop()]);
  }, 90_000);
});
