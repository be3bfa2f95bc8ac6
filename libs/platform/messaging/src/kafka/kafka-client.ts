import { readFileSync } from 'node:fs';
import { Kafka, type KafkaConfig, logLevel, type LogEntry } from 'kafkajs';
import type { Logger } from '@acervo/platform-observability';

/** Keys under which events are signed and verified. */
export interface SignatureSettings {
  /** The private key of the service, as PEM; its events are not signed where it is absent. */
  readonly key?: string | null;
  /** File with the public keys of services; events are not verified where it is absent. */
  readonly keys?: string | null;
  /** Accepts events without a signature. */
  readonly unsigned?: boolean;
}

/** Address of Kafka and settings of new topics. */
export interface KafkaSettings {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Prefix of topics and groups: separates installations that share a cluster. */
  readonly prefix: string;
  readonly partitions: number;
  /** Replication factor; -1 leaves it to the broker. */
  readonly replication: number;
  /** Replicas that must have an event before it counts as published; the broker's default when absent or below 1. */
  readonly minInSync?: number;
  readonly tls?: boolean;
  /** File with the trusted authorities; those of Node when absent. */
  readonly ca?: string | null;
  readonly user?: string | null;
  readonly password?: string | null;
  readonly signatures?: SignatureSettings;
}

/** Retries until a restarting broker is back; with the defaults of the library, a restart fails the current send. */
const PATIENCE = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 60 };
/** For requests that the caller repeats: fails after some seconds without an answer. */
export const SOON: KafkaConfig['retry'] = { ...PATIENCE, retries: 5 };

const security = ({ tls = false, ca, user, password }: KafkaSettings): Partial<KafkaConfig> => ({
  ...(tls ? { ssl: ca ? { ca: readFileSync(ca, 'utf8') } : true } : {}),
  ...(user ? { sasl: { mechanism: 'scram-sha-512', username: user, password: password ?? '' } } : {}),
});

/** Logs messages of the library at a level of this service: its errors are retried here. */
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
