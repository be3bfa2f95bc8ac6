import { readFileSync } from 'node:fs';
import { Kafka, type KafkaConfig, logLevel, type LogEntry } from 'kafkajs';
import type { Logger } from '@acervo/platform-observability';

/** Where Kafka is and how topics are made there. */
export interface KafkaSettings {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Begins the names of topics and groups: what shares a cluster stays apart. */
  readonly prefix: string;
  readonly partitions: number;
  /** Copies of each partition; -1 leaves it to the broker. */
  readonly replication: number;
  /** Copies that must have an event before it counts as published; the broker's own when absent or below 1. */
  readonly minInSync?: number;
  readonly tls?: boolean;
  /** File with the authorities that are trusted; those that Node trusts when absent. */
  readonly ca?: string | null;
  readonly user?: string | null;
  readonly password?: string | null;
}

/** A broker that restarts is waited for; with the defaults of the library a restart fails what is being sent. */
const PATIENCE = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 60 };
/** For what is asked again by whoever asks: he learns after some seconds that nobody answers. */
export const SOON: KafkaConfig['retry'] = { ...PATIENCE, retries: 5 };

const security = ({ tls = false, ca, user, password }: KafkaSettings): Partial<KafkaConfig> => ({
  ...(tls ? { ssl: ca ? { ca: readFileSync(ca, 'utf8') } : true } : {}),
  ...(user ? { sasl: { mechanism: 'scram-sha-512', username: user, password: password ?? '' } } : {}),
});

/** What the library says, at the level of our log: its own errors are retries for us. */
const quietly =
  (logger: Logger) =>
  () =>
  ({ level, log: { message, groupId } }: LogEntry): void => {
    if (level <= logLevel.WARN) logger.debug({ consumerGroup: groupId as string | undefined }, `kafka: ${message}`);
  };

export const openKafka = (settings: KafkaSettings, logger: Logger, retry: KafkaConfig['retry'] = PATIENCE): Kafka =>
  new Kafka({
    clientId: settings.clientId,
    brokers: [...settings.brokers],
    retry,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    logLevel: logLevel.WARN,
    logCreator: quietly(logger),
    ...security(settings),
  });
