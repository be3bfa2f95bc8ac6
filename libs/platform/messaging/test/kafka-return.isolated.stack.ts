import { randomUUID } from 'node:crypto';
// eslint-disable-next-line no-restricted-imports -- a stranger in the group, whom our port cannot play
import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';
import { documentIndexed } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { actOnEngine, describeOnStack, eventually, type TestDatabase } from '@acervo/platform-testing';
import { Outbox, WaitingFigures } from '../src';
import { type KafkaSettings, type KafkaTransport, openKafka } from '../src/kafka';
import { testKafka, transportOf } from './kafka-way';
import { figures, indexed, openMessaging, silent, until } from './support';

/** Partitions are renewed every five seconds. */
const LONGER_THAN_A_RENEWAL_MS = 6_000;

/** A foreign partition assigner: the broker refuses members with different ones for good. */
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

  it('a service refused by its group reports it, then recovers', async () => {
    const metrics = { retrieval: new Metrics('retrieval'), ingestion: new Metrics('ingestion') };
    const sends = transportOf(server, 'retrieval', settings, silent, metrics.retrieval);
    const listens = transportOf(server, 'ingestion', settings, silent, metrics.ingestion);
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
    await listens.measure();
    expect(await figures(metrics.ingestion, 'events_lag')).toMatchObject({ [documentIndexed.topic]: 1 });
    await stranger.disconnect();
    await until('the event arrives', async () => (await arrived()) === 1, 40_000);
    await started;
    await expect(listens.ping()).resolves.toBeUndefined();
    await until('it is taken', async () => [...(await listens.waiting()).values()].every((n) => n === 0), 10_000);
    await listens.measure();
    expect(await figures(metrics.ingestion, 'events_lag')).toMatchObject({ [documentIndexed.topic]: 0 });
    expect(await figures(metrics.retrieval, 'events_published_total')).toMatchObject({ [documentIndexed.topic]: 1 });
    expect(await figures(metrics.ingestion, 'events_received_total')).toMatchObject({ [documentIndexed.topic]: 1 });
    await Promise.all([sends.stop(), listens.stop()]);
  });

  it('a service started without Kafka reports it, and delivers events later', async () => {
    const metrics = new Metrics('operations');
    const runs = transportOf(server, 'operations', settings, silent, metrics);
    await runs.start();
    // A group that is new has no offsets for a moment.
    await until('the lag is measured', async () => {
      await runs.measure();
      return Object.keys(await figures(metrics, 'events_lag')).length > 0;
    });
    await actOnEngine('kafka', 'kill');
    const sends = transportOf(server, 'retrieval', settings);
    const both = [sends, transportOf(server, 'ingestion', settings)];
    const started = both.map((each) => each.start());
    await publish();
    const waiting = new WaitingFigures(metrics, [sends.relay.unpublished]);
    await waiting.measure();
    expect(await figures(metrics, 'events_waiting')).toEqual({ outbox: 1 });
    await runs.measure();
    expect(await figures(metrics, 'events_lag')).toEqual({});
    for (const each of both) await expect(each.ping()).rejects.toBeInstanceOf(Error);
    await actOnEngine('kafka', 'start');
    await until('the event arrives', async () => (await arrived()) === 1, 40_000);
    await Promise.all(started);
    const isThere = (each: KafkaTransport): Promise<boolean> =>
      each.ping().then(
        () => true,
        () => false,
      );
    for (const each of [...both, runs]) await until('Kafka is reported as available', () => isThere(each), 20_000);
    await waiting.measure();
    expect(await figures(metrics, 'events_waiting')).toEqual({ outbox: 0 });
    await Promise.all([...both, runs].map((each) => each.stop()));
  });

  it('a service stops within seconds without Kafka, and loses no event', async () => {
    const both = [transportOf(server, 'retrieval', settings), transportOf(server, 'ingestion', settings)];
    for (const each of both) await each.start();
    await publish();
    await until('the event arrives', async () => (await arrived()) === 1, 20_000);
    await actOnEngine('kafka', 'kill');
    try {
      await publish();
      // Long enough for the relay to be sending, and the consumer to be looking for its broker.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await eventually('the end of both', () => Promise.all(both.map((each) => each.stop())), 10_000);
      const leasedUntil = async (): Promise<unknown> =>
        (await server.asOwner('retrieval', 'select max(held_until) as until from retrieval.outbox_lane'))[0];
      const atEnd = await leasedUntil();
      await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_A_RENEWAL_MS));
      expect(await leasedUntil()).toEqual(atEnd);
    } finally {
      await actOnEngine('kafka', 'start');
    }
  });
});
