import type { Admin } from 'kafkajs';
import type { ServiceName } from '@acervo/contracts';
import type { Database, DatabaseConnection } from '@acervo/platform-database';
import type { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import type { Failpoints } from '../failpoints';
import { EventTransport } from '../transport';
import { type KafkaSettings, openKafka } from './kafka-client';
import { lagOf } from './kafka-lag';
import { KafkaReceiver } from './kafka-receiver';
import { KafkaRelay } from './kafka-relay';
import { ensureTopics, topicsOf } from './topics';

const LAG_MS = 15_000;

export interface KafkaTransportParts {
  readonly service: ServiceName;
  readonly settings: KafkaSettings;
  /** Topics that the service listens to. */
  readonly topics: readonly string[];
  readonly database: Database;
  /** Where the relay role logs in. */
  readonly relay: DatabaseConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly failpoints?: Failpoints;
  readonly sessionMs?: number;
}

/** The way of one service's events through Kafka: a relay for what it publishes, a receiver for what it listens to. */
export class KafkaTransport extends EventTransport {
  readonly relay: KafkaRelay;
  readonly receiver: KafkaReceiver;
  private readonly admin: Admin;
  private readonly lag;
  private measuring: NodeJS.Timeout | undefined;

  constructor(private readonly parts: KafkaTransportParts) {
    super();
    const { settings, relay: connection, logger } = parts;
    const kafka = openKafka(settings, logger);
    const own = { ...parts, kafka, prefix: settings.prefix };
    this.admin = kafka.admin();
    this.relay = new KafkaRelay({ ...own, connection });
    this.receiver = new KafkaReceiver(own);
    this.lag = parts.metrics.gauge('events_lag', 'Events in Kafka that the service has not taken yet', ['topic']);
  }

  /** @throws when Kafka does not answer, or its topics cannot be used */
  async start(): Promise<void> {
    await this.admin.connect();
    await ensureTopics(this.admin, topicsOf(this.parts.service), this.parts.settings);
    await this.receiver.start();
    this.relay.start();
    this.measuring = setInterval(() => void this.measure().catch(() => undefined), LAG_MS);
    this.measuring.unref();
  }

  /** Events of the service that wait in Kafka, by topic. */
  waiting(): Promise<ReadonlyMap<string, number>> {
    const { settings, topics } = this.parts;
    const names = topics.map((topic) => `${settings.prefix}${topic}`);
    return names.length === 0 ? Promise.resolve(new Map()) : lagOf(this.admin, this.receiver.group, names);
  }

  /** Whether Kafka answers and the events of the service come from there. @throws when not */
  async ping(): Promise<void> {
    this.receiver.assertReceiving();
    await this.admin.describeCluster();
  }

  async stop(): Promise<void> {
    clearInterval(this.measuring);
    await this.receiver.stop();
    await this.relay.stop();
    await this.admin.disconnect();
  }

  private async measure(): Promise<void> {
    const { prefix } = this.parts.settings;
    for (const [topic, count] of await this.waiting()) this.lag.set({ topic: topic.slice(prefix.length) }, count);
  }
}
