import { setTimeout as pause } from 'node:timers/promises';
import { type Admin, ConfigResourceTypes, type ITopicMetadata } from 'kafkajs';
import { allEvents, type ServiceName } from '@acervo/contracts';
import type { KafkaSettings } from './kafka-client';
import { refusedTopics } from './kafka-errors';

/** What a broker takes as one batch where nobody told it otherwise; the pieces that a relay sends are smaller. */
const MOST_MESSAGE_BYTES = 1_048_588;
/** What handled events are remembered for is longer, so that nothing that is still there is handled twice. */
const RETENTION_MS = 3 * 24 * 3_600_000;
const DEAD_RETENTION_MS = 30 * 24 * 3_600_000;

/** Where a service writes what it could not handle. */
export const deadLetterTopic = (service: ServiceName): string => `dead_letter.${service}.v1`;

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
  ...allEvents()
    .filter(({ producer, subscribers }) => producer === 'any' || producer === service || subscribers.includes(service))
    .map(({ topic }) => topic),
  deadLetterTopic(service),
];

const PATIENCE_MS = 10_000;

/** A topic that was just made is not known at once everywhere. */
const described = async (admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, ITopicMetadata>> => {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(200)) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
      return new Map(topics.map((topic) => [topic.name, topic]));
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
};

/** What a topic has to be like, so that nothing is thrown away or refused that is still to be handled. */
interface Demand {
  readonly setting: string;
  /** What a topic of ours is made with. */
  readonly made: string;
  readonly wanted: string;
  holds(value: string): boolean;
}

const atLeast = (setting: string, least: number): Demand => ({
  ...{ setting, made: String(least), wanted: `at least ${least}` },
  holds: (value) => Number(value) >= least,
});

const unlimited = (value: string): boolean => Number(value) === -1;

const demandsOn = (topic: string, { minInSync = -1 }: KafkaSettings): readonly Demand[] => {
  const retention = atLeast('retention.ms', topic.includes('dead_letter.') ? DEAD_RETENTION_MS : RETENTION_MS);
  return [
    { setting: 'cleanup.policy', made: 'delete', wanted: 'delete', holds: (value) => value === 'delete' },
    { ...retention, holds: (value) => unlimited(value) || retention.holds(value) },
    { setting: 'retention.bytes', made: '-1', wanted: '-1', holds: unlimited },
    atLeast('max.message.bytes', MOST_MESSAGE_BYTES),
    ...(minInSync > 0 ? [atLeast('min.insync.replicas', minInSync)] : []),
  ];
};

/** What is wrong with the number of partitions of a topic, or of their copies. */
const misshapen = (
  name: string,
  topic: ITopicMetadata | undefined,
  { partitions: wanted, replication, minInSync = -1 }: KafkaSettings,
): string[] => {
  const partitions = topic?.partitions ?? [];
  const copies = Math.min(...partitions.map(({ replicas }) => replicas.length));
  // A broker asks for no more copies in step than there are copies, whatever is set.
  const least = Math.max(replication, minInSync);
  return [
    ...(partitions.length < wanted ? [`${name} has ${partitions.length} partitions where ${wanted} are wanted`] : []),
    ...(copies < least ? [`${name} has ${copies} copies of a partition where ${least} are wanted`] : []),
  ];
};

/** What is wrong with the settings of topics. */
const misset = async (admin: Admin, names: readonly string[], settings: KafkaSettings): Promise<string[]> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  return resources.flatMap(({ resourceName, configEntries }) => {
    const values = new Map(configEntries.map(({ configName, configValue }) => [configName, configValue]));
    return demandsOn(resourceName, settings).flatMap(({ setting, wanted, holds }) => {
      const value = values.get(setting) ?? '';
      return holds(value) ? [] : [`${resourceName} has ${setting} ${value} where ${wanted} is wanted`];
    });
  });
};

/** Makes the topics that are missing. @throws TopicsUnusable where the broker refuses that for good */
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
 * Makes the topics that are missing and checks those that are there.
 * @throws TopicsUnusable when one cannot be made, would lose events, refuse them, or has fewer partitions than wanted: its
 * keys would change places when some are added
 */
export const ensureTopics = async (admin: Admin, topics: readonly string[], settings: KafkaSettings): Promise<void> => {
  const names = topics.map((topic) => `${settings.prefix}${topic}`);
  await make(admin, names, settings);
  const found = await described(admin, names);
  const problems = [
    ...names.flatMap((name) => misshapen(name, found.get(name), settings)),
    ...(await misset(admin, names, settings)),
  ];
  if (problems.length > 0) throw new TopicsUnusable(problems);
};
