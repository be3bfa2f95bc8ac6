import {
  type AclEntry,
  type Admin,
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  type Kafka,
  ResourcePatternTypes,
} from 'kafkajs';
import { publishedBy, receivedBy, type ServiceName, services } from '@acervo/contracts';
import { retry } from '@acervo/platform-resilience';
import { deadLetterTopic } from '../dead-letter-topic';
import type { KafkaSettings } from './kafka-client';
import { ensureTopics, topicsOf } from './topics';

const { READ, WRITE, DESCRIBE, DESCRIBE_CONFIGS } = AclOperationTypes;

/** The user of a service at Kafka. */
export const principalOf = (service: ServiceName): string => `User:${service}`;

interface Right {
  readonly type: AclResourceTypes;
  readonly name: string;
  readonly operations: readonly AclOperationTypes[];
}

/** Writes what it publishes and its own dead letters, reads what it listens to, and is in no other consumer group. */
const rightsOf = (service: ServiceName, prefix: string): readonly Right[] => {
  const onTopic = (topic: string, operation: AclOperationTypes): Right => ({
    type: AclResourceTypes.TOPIC,
    name: `${prefix}${topic}`,
    operations: [operation, DESCRIBE, DESCRIBE_CONFIGS],
  });
  return [
    ...publishedBy(service).map(({ topic }) => onTopic(topic, WRITE)),
    ...receivedBy(service).map(({ topic }) => onTopic(topic, READ)),
    onTopic(deadLetterTopic(service), WRITE),
    { type: AclResourceTypes.GROUP, name: `${prefix}${service}`, operations: [READ] },
  ];
};

/** The access control entries of a service. */
export const accessOf = (service: ServiceName, prefix: string): readonly AclEntry[] =>
  rightsOf(service, prefix).flatMap(({ type, name, operations }) =>
    operations.map((operation) => ({
      ...{ resourceType: type, resourceName: name, resourcePatternType: ResourcePatternTypes.LITERAL },
      ...{ principal: principalOf(service), host: '*', operation, permissionType: AclPermissionTypes.ALLOW },
    })),
  );

const PATIENCE_MS = 30_000;
const PAUSE_MS = 200;

const nameOf = ({ resourceName, principal, operation }: Pick<AclEntry, 'resourceName' | 'principal' | 'operation'>) =>
  `${resourceName} ${principal} ${operation}`;

/** A broker learns of entries a moment after they are made: a service that starts before would be refused for good. */
const untilKnown = async (admin: Admin, entries: readonly AclEntry[]): Promise<void> => {
  const end = Date.now() + PATIENCE_MS;
  const look = async (): Promise<void> => {
    const { resources } = await admin.describeAcls({
      ...{ resourceType: AclResourceTypes.ANY, resourcePatternType: ResourcePatternTypes.LITERAL },
      ...{ operation: AclOperationTypes.ANY, permissionType: AclPermissionTypes.ALLOW },
    });
    const found = resources.flatMap(({ resourceName, acls }) => acls.map((acl) => nameOf({ resourceName, ...acl })));
    const present = new Set(found);
    if (!entries.every((entry) => present.has(nameOf(entry)))) throw new Error('Kafka does not show every right yet.');
  };
  await retry(look, () => (Date.now() > end ? undefined : PAUSE_MS));
};

/**
 * Makes the topics of all services and gives each service its rights on them. Idempotent.
 * @param kafka logged in as a user that may alter the cluster
 * @throws TopicsUnusable
 */
export const prepareKafka = async (kafka: Kafka, settings: KafkaSettings): Promise<void> => {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await ensureTopics(admin, [...new Set(services.flatMap(topicsOf))], settings);
    const entries = services.flatMap((service) => accessOf(service, settings.prefix));
    await admin.createAcls({ acl: entries });
    await untilKnown(admin, entries);
  } finally {
    await admin.disconnect();
  }
};
