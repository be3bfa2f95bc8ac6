import { describeOnStack } from '@acervo/platform-testing';
import { type KafkaSettings, openKafka, SOON } from '../src/kafka';
import { testKafka } from './kafka-way';
import { silent } from './support';

const topicsWith = async (settings: KafkaSettings): Promise<string[]> => {
  const admin = openKafka(settings, silent, { ...SOON, retries: 0 }).admin();
  try {
    await admin.connect();
    return await admin.listTopics();
  } finally {
    await admin.disconnect();
  }
};

describeOnStack('the Kafka of a deployment', ['kafka'], () => {
  it('Kafka answers the user that the settings name', async () => {
    expect(Array.isArray(await topicsWith(testKafka()))).toBe(true);
  });

  it.each<[string, Partial<KafkaSettings>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { user: 'stranger' }],
    ['no login', { user: null, password: null }],
    ['no TLS', { tls: false }],
    ['an untrusted authority', { ca: null }],
  ])('Kafka refuses a client with %s', async (_what, changed) => {
    await expect(topicsWith({ ...testKafka(), ...changed })).rejects.toThrow();
  });
});
