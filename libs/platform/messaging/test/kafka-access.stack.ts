import { randomUUID } from 'node:crypto';
import { documentPrepared, type ServiceName, userDeletionStarted } from '@acervo/contracts';
import { describeOnStack } from '@acervo/platform-testing';
import { ensureTopics, type KafkaSettings, openKafka, prepareKafka, SOON, topicsOf } from '../src/kafka';
import { ofService, testKafka } from './kafka-way';
import { silent } from './support';

const REFUSED = /not authorized|authorization failed/i;

describeOnStack('the rights of services at Kafka', ['kafka'], () => {
  let settings: KafkaSettings;

  const as = (service: ServiceName): ReturnType<typeof openKafka> =>
    openKafka(ofService(service, settings), silent, { ...SOON, retries: 1 });

  const publishing = async (service: ServiceName, topic: string): Promise<void> => {
    const producer = as(service).producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false });
    await producer.connect();
    try {
      await producer.send({ topic: `${settings.prefix}${topic}`, acks: -1, messages: [{ value: '{}' }] });
    } finally {
      await producer.disconnect();
    }
  };

  /** Reads the first message of a topic as a member of a group. */
  const reading = async (service: ServiceName, topic: string, group: string = service): Promise<void> => {
    // The coordinator of the first group of a broker takes a moment.
    const patient = openKafka(ofService(service, settings), silent);
    const consumer = patient.consumer({ groupId: `${settings.prefix}${group}` });
    const begin = async (received: () => void): Promise<void> => {
      await consumer.connect();
      await consumer.subscribe({ topics: [`${settings.prefix}${topic}`], fromBeginning: true });
      await consumer.run({ eachMessage: () => Promise.resolve(received()) });
    };
    const read = new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      begin(resolve).catch(reject);
    });
    try {
      await read;
    } finally {
      await consumer.disconnect();
    }
  };

  beforeAll(async () => {
    settings = { ...testKafka(), prefix: `access-${randomUUID().slice(0, 8)}.` };
    await prepareKafka(openKafka(settings, silent), settings);
    await prepareKafka(openKafka(settings, silent), settings);
    await publishing('auth', userDeletionStarted.topic);
  });

  it('a service finds its topics without the right to create them', async () => {
    const admin = as('chat').admin();
    await admin.connect();
    await expect(ensureTopics(admin, topicsOf('chat'), settings)).resolves.toBeUndefined();
    await admin.disconnect();
  });

  it('a service publishes its own topics and no other', async () => {
    await expect(publishing('ingestion', documentPrepared.topic)).resolves.toBeUndefined();
    await expect(publishing('chat', documentPrepared.topic)).rejects.toThrow(REFUSED);
    await expect(publishing('ingestion', userDeletionStarted.topic)).rejects.toThrow(REFUSED);
  });

  it('a service reads what it listens to, in its own group', async () => {
    await expect(reading('chat', userDeletionStarted.topic)).resolves.toBeUndefined();
    await expect(reading('chat', documentPrepared.topic)).rejects.toThrow(REFUSED);
    // The client reports the refused group so.
    await expect(reading('chat', userDeletionStarted.topic, 'retrieval')).rejects.toThrow(/group coordinator/);
  });
});
