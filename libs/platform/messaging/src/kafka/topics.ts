import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { allEvents, type ServiceName } from '@acervo/contracts';
import type { KafkaSettings } from './kafka-client';

/** What handled events are remembered for is longer, so that nothing that is still there is handled twice. */
const RETENTION_MS = 3 * 24 * 3_600_000;
const DEAD_RETENTION_MS = 30 * 24 * 3_600_000;

/** Where a service writes what it could not handle. */
export const deadLetterTopic = (service: ServiceName): string => `dead_letter.${service}.v1`;

export class TopicsUnusable extends Error {
  constructor(problems: readonly string[]) {
    super(`Kafka's topics cannot be used: ${problems.join('; ')}.`);
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

/** Partitions by topic. A topic that was just made is not known at once everywhere. */
const described = async (admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(200)) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
      return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
};

/**
 * Makes the topics that are missing and checks those that are there.
 * @throws TopicsUnusable when one has fewer partitions than wanted: its keys would change places when some are added
 */
export const ensureTopics = async (
  admin: Admin,
  topics: readonly string[],
  { prefix, partitions, replication }: KafkaSettings,
): Promise<void> => {
  const names = topics.map((topic) => `${prefix}${topic}`);
  await admin.createTopics({
    waitForLeaders: true,
    topics: names.map((topic) => ({
      topic,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: [
        { name: 'retention.ms', value: String(topic.includes('dead_letter.') ? DEAD_RETENTION_MS : RETENTION_MS) },
        { name: 'cleanup.policy', value: 'delete' },
      ],
    })),
  });
  const found = await described(admin, names);
  const problems = names.flatMap((name) => {
    const count = found.get(name) ?? 0;
    return count >= partitions ? [] : [`${name} has ${count} partitions where ${partitions} are wanted`];
  });
  if (problems.length > 0) throw new TopicsUnusable(problems);
};
