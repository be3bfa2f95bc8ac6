import { Setting } from '@acervo/platform-config';
import type { KafkaSettings } from '@acervo/platform-messaging';

/** Where Kafka is, and how its topics are made. */
export class KafkaConfig {
  @Setting({ env: 'ACERVO_KAFKA_BROKERS', default: '127.0.0.1:9092', description: 'host:port of brokers, by commas' })
  readonly kafkaBrokers!: string;
  @Setting({
    env: 'ACERVO_KAFKA_PREFIX',
    default: 'acervo.',
    description: 'What names of topics and groups begin with',
  })
  readonly kafkaPrefix!: string;
  @Setting({
    env: 'ACERVO_KAFKA_PARTITIONS',
    default: 12,
    min: 1,
    max: 1_000,
    description: 'Partitions of a topic; a topic with fewer stops the start, since its keys would change places',
  })
  readonly kafkaPartitions!: number;
  @Setting({
    env: 'ACERVO_KAFKA_REPLICATION',
    default: -1,
    min: -1,
    max: 9,
    description: 'Copies of each partition; -1 leaves it to the broker',
  })
  readonly kafkaReplication!: number;
  @Setting({
    env: 'ACERVO_KAFKA_MIN_INSYNC_REPLICAS',
    default: -1,
    min: -1,
    max: 9,
    description: 'Copies that must have an event before it counts as published; -1 leaves it to the broker',
  })
  readonly kafkaMinInSync!: number;
  @Setting({ env: 'ACERVO_KAFKA_TLS', default: false, description: 'Speak TLS with Kafka and check its certificate' })
  readonly kafkaTls!: boolean;
  @Setting({ env: 'ACERVO_KAFKA_CA', default: null, description: 'File with the authorities trusted for Kafka' })
  readonly kafkaCa!: string | null;
  @Setting({ env: 'ACERVO_KAFKA_USER', default: null, description: 'Name at Kafka (SCRAM-SHA-512)' })
  readonly kafkaUser!: string | null;
  @Setting({ env: 'ACERVO_KAFKA_PASSWORD', default: null, secret: true, description: 'Password at Kafka' })
  readonly kafkaPassword!: string | null;
}

/** @param clientId the name that Kafka logs */
export const kafkaSettings = (clientId: string, config: KafkaConfig): KafkaSettings => ({
  clientId,
  brokers: config.kafkaBrokers.split(','),
  prefix: config.kafkaPrefix,
  partitions: config.kafkaPartitions,
  replication: config.kafkaReplication,
  minInSync: config.kafkaMinInSync,
  tls: config.kafkaTls,
  ca: config.kafkaCa,
  user: config.kafkaUser,
  password: config.kafkaPassword,
});
