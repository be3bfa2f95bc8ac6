import { randomBytes, randomUUID } from 'node:crypto';
// eslint-disable-next-line no-restricted-imports -- what strangers send, which our port never does
import type { IHeaders } from 'kafkajs';
import { documentIndexed } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { describeOnStack, type TestDatabase } from '@acervo/platform-testing';
import { deadLetterTopic } from '../src';
import { type KafkaSettings, messageOf, openKafka, type WrittenEvent } from '../src/kafka';
import { testKafka, transportOf } from './kafka-way';
import { figures, indexed, openMessaging, silent, until } from './support';

const written = (more: Partial<WrittenEvent> = {}): WrittenEvent => ({
  event_id: randomUUID(),
  group_id: randomUUID(),
  topic: documentIndexed.topic,
  event_key: 'k',
  payload: JSON.stringify(indexed(randomUUID(), 1)),
  cause: 'c',
  occurred_at: '2026-01-01T00:00:00.000000+00:00',
  trace: null,
  ...more,
});

/** Headers that other clients can write, and the library can read but not write. */
const withoutValue = (value: null | readonly (string | null)[], name = 'note'): IHeaders =>
  ({ [name]: value }) as unknown as IHeaders;

/** Lets the library write headers without a value while `work` runs. */
const writingNull = async (work: () => Promise<unknown>): Promise<void> => {
  const { byteLength } = Buffer;
  const spy = jest
    .spyOn(Buffer, 'byteLength')
    .mockImplementation((text, encoding) => (text === null ? 0 : byteLength(text, encoding)));
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
};

/** Messages that a foreign client may write into a topic, and how they are reported. */
const STRANGE: readonly (readonly [string, ReturnType<typeof messageOf>, RegExp])[] = [
  ['one with a header without a value', { key: 'x', value: 'no event', headers: withoutValue(null) }, /has no single/],
  [
    'one with a header with and without',
    { key: 'x', value: 'no event', headers: withoutValue([null, 'y']) },
    /has no single/,
  ],
  [
    'an event whose cause has no value',
    { ...messageOf(written()), headers: { ...messageOf(written()).headers, ...withoutValue(null, 'cause') } },
    /has no single header cause/,
  ],
  ['no event at all', { key: 'x', value: 'no event' }, /has no single header event_id/],
  ['one of another group than its key', { ...messageOf(written()), key: `${randomUUID()}:k` }, /another group/],
  ['no JSON', messageOf(written({ payload: '{' })), /is no JSON/],
  ['nothing', messageOf(written({ payload: 'null' })), /is no JSON object/],
  ['a day without a time', messageOf(written({ occurred_at: '2026-01-01' })), /has no time/],
  ['a key with a NUL', messageOf(written({ event_key: 'k\0' })), /a character in event_key/],
  // These parse as events; only the database refuses them.
  ['a payload with a NUL', messageOf(written({ payload: '{"x":"\\u0000"}' })), /refuses it: 22P05/],
  ['half a character', messageOf(written({ payload: '{"x":"\\ud800"}' })), /refuses it: 22P02/],
  ['a day that there is not', messageOf(written({ occurred_at: '2026-02-30T00:00:00Z' })), /refuses it: 22008/],
  ['an endless key', messageOf(written({ event_key: randomBytes(8_000).toString('hex') })), /refuses it: 54000/],
];

describeOnStack('an invalid message through Kafka', ['kafka', 'postgres'], () => {
  let server: TestDatabase;
  let settings: KafkaSettings;
  const topic = (): string => `${settings.prefix}${documentIndexed.topic}`;
  const arrived = async (): Promise<unknown[]> =>
    (await server.asOwner('ingestion', 'select event_id from ingestion.incoming order by id')).map(
      (row) => row['event_id'],
    );

  beforeAll(async () => {
    server = await openMessaging();
    settings = { ...testKafka(), partitions: 1 };
  });
  afterAll(() => server.close());

  it('an invalid message blocks no other and is dead-lettered unchanged', async () => {
    const metrics = new Metrics('ingestion');
    const makesTopics = transportOf(server, 'retrieval', settings);
    await makesTopics.start();
    await makesTopics.stop();
    const kafka = openKafka(settings, silent);
    const producer = kafka.producer();
    await producer.connect();
    const events = STRANGE.map(() => written());
    // Each between two events, all in one batch of one partition.
    const messages = STRANGE.flatMap(([, strange], index) => [strange, messageOf(events[index] as WrittenEvent)]);
    await writingNull(() => producer.send({ topic: topic(), messages }));
    // With the added headers a broker would refuse it.
    await producer.send({ topic: topic(), messages: [{ key: 'x', value: 'x'.repeat(1_048_400) }] });
    const listens = transportOf(server, 'ingestion', settings, silent, metrics);
    await listens.start();
    await until('the events arrive', async () => (await arrived()).length >= events.length, 20_000);
    expect(await arrived()).toEqual(events.map((event) => event.event_id));
    await until(
      'all are counted',
      async () => (await figures(metrics, 'events_malformed_total'))[documentIndexed.topic] === STRANGE.length + 1,
      20_000,
    );
    expect(await figures(metrics, 'events_received_total')).toMatchObject({ [documentIndexed.topic]: events.length });

    const dead: { value: string; reason: string; from: string; offset: string }[] = [];
    const reader = kafka.consumer({ groupId: `${settings.prefix}reader` });
    await reader.connect();
    await reader.subscribe({ topic: `${settings.prefix}${deadLetterTopic('ingestion')}`, fromBeginning: true });
    await reader.run({
      eachMessage: ({ message: { value, headers = {} } }) => {
        const reported = (name: string): string => String(headers[`refused_${name}`]);
        dead.push({
          value: String(value),
          reason: reported('reason'),
          from: reported('topic'),
          offset: reported('offset'),
        });
        return Promise.resolve();
      },
    });
    await until('all are dead-lettered', () => dead.length > STRANGE.length, 20_000);
    for (const [index, [what, { value }, reason]] of STRANGE.entries()) {
      const found = dead.filter(({ offset }) => offset === String(2 * index));
      expect([what, found]).toEqual([
        what,
        [{ value: String(value), reason: expect.stringMatching(reason), from: topic(), offset: String(2 * index) }],
      ]);
    }
    expect(dead.find(({ offset }) => offset === String(2 * STRANGE.length))).toMatchObject({ value: 'null' });
    await Promise.all([reader.disconnect(), producer.disconnect()]);
    await until('all are taken', async () => [...(await listens.waiting()).values()].every((n) => n === 0), 10_000);
    await listens.stop();
  });

  it('many invalid messages block no other; each is dead-lettered once', async () => {
    const COUNT = 10_000;
    settings = { ...testKafka(), partitions: 1 };
    const makesTopics = transportOf(server, 'retrieval', settings);
    await makesTopics.start();
    await makesTopics.stop();
    const kafka = openKafka(settings, silent);
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: topic(), messages: Array.from({ length: COUNT }, () => ({ value: 'x' })) });
    const event = written();
    await producer.send({ topic: topic(), messages: [messageOf(event)] });
    await producer.disconnect();
    const metrics = new Metrics('ingestion');
    const listens = transportOf(server, 'ingestion', settings, silent, metrics, { sessionMs: 3_000 });
    await listens.start();
    await until('the event arrives', async () => (await arrived()).includes(event.event_id), 60_000);
    const admin = kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(`${settings.prefix}${deadLetterTopic('ingestion')}`);
    expect(ends.reduce((sum, { high }) => sum + Number(high), 0)).toBe(COUNT);
    await Promise.all([admin.disconnect(), listens.stop()]);
  });
});
