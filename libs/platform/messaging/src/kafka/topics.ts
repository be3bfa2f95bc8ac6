import { type Admin, ConfigResourceTypes, type ITopicMetadata } from 'kafkajs';
import { publishedBy, receivedBy, type ServiceName } from '@acervo/contracts';
import { retry } from '@acervo/platform-resilience';
import { deadLetterTopic } from '../dead-letter-topic';
import type { KafkaSettings } from './kafka-client';
import { refusedTopics } from './kafka-errors';

/** A broker's default limit of a batch; the pieces of a relay are smaller. */
const MOST_MESSAGE_BYTES = 1_048_588;
/** Retention of topics. Inbox rows live longer, so that no event still in Kafka is handled twice. */
const RETENTION_MS = 3 * 24 * 3_600_000;
const DEAD_RETENTION_MS = 30 * 24 * 3_600_000;

export class TopicsUnusable extends Error {
  constructor(problems: readonly string[]) {
    super(
      `Kafka's topics cannot be used: ${problems.join('; ')}. Change the topics, the rights on them, or the settings that want it.`,
    );
    this.name = 'TopicsUnusable';
  }
}

/** Topics that a service publishes to or listens to. */
export const topicsOf = (service: ServiceName): string[] => [
  ...new Set([...publishedBy(service), ...receivedBy(service)].map(({ topic }) => topic)),
  deadLetterTopic(service),
];

const PATIENCE_MS = 10_000;

/** Describes topics, with retries: a new topic is not known to every broker at once. */
const described = async (admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, ITopicMetadata>> => {
  const end = Date.now() + PATIENCE_MS;
  const { topics } = await retry(
    () => admin.fetchTopicMetadata({ topics: [...names] }),
    () => (Date.now() > end ? undefined : 200),
  );
  return new Map(topics.map((topic) => [topic.name, topic]));
};

/** A required setting of a topic, so that no unhandled event is deleted or refused. */
interface Demand {
  readonly setting: string;
  /** The value that new topics are created with. */
  readonly made: string;
  readonly wanted: string;
  isMet(value: string): boolean;
}

const atLeast = (setting: string, least: number): Demand => ({
  ...{ setting, made: String(least), wanted: `at least ${least}` },
  isMet: (value) => Number(value) >= least,
});

const unlimited = (value: string): boolean => Number(value) === -1;

const demandsOn = (topic: string, { minInSync = -1 }: KafkaSettings): readonly Demand[] => {
  const retention = atLeast('retention.ms', topic.includes('dead_letter.') ? DEAD_RETENTION_MS : RETENTION_MS);
  return [
    { setting: 'cleanup.policy', made: 'delete', wanted: 'delete', isMet: (value) => value === 'delete' },
    { ...retention, isMet: (value) => unlimited(value) || retention.isMet(value) },
    { setting: 'retention.bytes', made: '-1', wanted: '-1', isMet: unlimited },
    atLeast('max.message.bytes', MOST_MESSAGE_BYTES),
    ...(minInSync > 0 ? [atLeast('min.insync.replicas', minInSync)] : []),
  ];
};

/** Problems with the number of partitions of a topic, or of their replicas. */
const misshapen = (
  name: string,
  topic: ITopicMetadata | undefined,
  { partitions: wanted, replication, minInSync = -1 }: KafkaSettings,
): string[] => {
  const partitions = topic?.partitions ?? [];
  const copies = Math.min(...partitions.map(({ replicas }) => replicas.length));
  // A broker requires at most as many in-sync replicas as there are replicas, even if `min.insync.replicas` is higher.
  const least = Math.max(replication, minInSync);
  return [
    ...(partitions.length < wanted ? [`${name} has ${partitions.length} partitions where ${wanted} are wanted`] : []),
    ...(copies < least ? [`${name} has ${copies} copies of a partition where ${least} are wanted`] : []),
  ];
};

/** Problems with the settings of topics. */
const misset = async (admin: Admin, names: readonly string[], settings: KafkaSettings): Promise<string[]> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  return resources.flatMap(({ resourceName, configEntries }) => {
    const values = new Map(configEntries.map(({ configName, configValue }) => [configName, configValue]));
    return demandsOn(resourceName, settings).flatMap(({ setting, wanted, isMet }) => {
      const value = values.get(setting) ?? '';
      return isMet(value) ? [] : [`${resourceName} has ${setting} ${value} where ${wanted} is wanted`];
    });
  });
};

/** Creates the missing topics. @throws TopicsUnusable where the broker refuses for good */
const make = async (admin: Admin, names: readonly string[], settings: KafkaSettings): Promise<void> => {
  const topics = names.map((topic) => ({
    topic,
    numPartitions: settings.partitions,
    replicationFactor: settings.replication,
    configEntries: demandsOn(topic, settings).map(({ setting: name, made: value }) => ({ name, value })),
  }));
  try {
    await admin.createTopics({ waitForLeaders: true, topics });
  } catch (error) {
    const refused = refusedTopics(error);
    throw refused.length > 0 ? new TopicsUnusable(refused) : error;
  }
};

/**
 * Creates the missing topics and checks the existing ones.
 * @throws TopicsUnusable when a topic cannot be created, would lose or refuse events, or has too few partitions: added
 * partitions would move its keys
 */
export const ensureTopics = async (admin: Admin, topics: readonly string[], settings: KafkaSettings): Promise<void> => {
  const names = topics.map((topic) => `${settings.prefix}${topic}`);
  // A user without the right to create is refused topics that exist, too.
  const existing = new Set(await admin.listTopics());
  const missing = names.filter((name) => !existing.has(name));
  if (missing.length > 0) await make(admin, missing, settings);
  const found = await described(admin, names);
  const problems = [
    ...names.flatMap((name) => misshapen(name, found.get(name), settings)),
    ...(await misset(admin, names, settings)),
  ];
  if (problems.length > 0) throw new TopicsUnusable(problems);
};
