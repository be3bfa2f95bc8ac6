import type { Admin } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@acervo/contracts';
import type { Database, DatabaseConnection } from '@acervo/platform-database';
import type { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import type { Failpoints } from '../failpoints';
import { EventTransport } from '../transport';
import { type KafkaSettings, openKafka, SOON } from './kafka-client';
import { answersIn } from './kafka-errors';
import { lagOf } from './kafka-lag';
import { KafkaReceiver } from './kafka-receiver';
import { KafkaRelay } from './kafka-relay';
import { ensureTopics, topicsOf, TopicsUnusable } from './topics';

const LAG_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** How long a start looks for a Kafka that is slow before it goes on without. */
const LOOK_MS = 3_000;

/** How long a stop waits for a Kafka that does not answer: what was not handed over is handed over by the next start. */
const LONGEST_STOP_MS = 5_000;

/** Waits for work, and not for longer than that. @throws what the work throws in time */
const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, pause(ms, undefined, { ref: false })]);

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
  private readonly stopping = new AbortController();
  private measuring: NodeJS.Timeout | undefined;

  constructor(private readonly parts: KafkaTransportParts) {
    super();
    const { settings, relay: connection, logger } = parts;
    const kafka = openKafka(settings, logger);
    const own = { ...parts, kafka, prefix: settings.prefix };
    this.admin = openKafka(settings, logger, SOON).admin();
    this.relay = new KafkaRelay({ ...own, connection });
    this.receiver = new KafkaReceiver(own);
    this.lag = parts.metrics.gauge('events_lag', 'Events in Kafka that the service has not taken yet', ['topic']);
  }

  /**
   * Looks at the topics, so that nothing begins where they cannot be used. Does not wait for a Kafka that is away: `start`
   * does, and looks at them then.
   * @throws TopicsUnusable
   */
  async check(): Promise<void> {
    const { settings, logger } = this.parts;
    const admin = openKafka(settings, logger, { ...SOON, retries: settings.brokers.length }).admin();
    const looked = this.lookWith(admin).finally(() => admin.disconnect());
    try {
      await atMost(LOOK_MS, looked);
    } catch (error) {
      if (error instanceof TopicsUnusable) throw error;
    }
  }

  /**
   * Resolves when events come and go, or the transport was stopped before. Where Kafka does not answer it is asked until
   * it does; what is published waits in the outbox.
   * @throws TopicsUnusable
   */
  async start(): Promise<void> {
    if (!(await this.reached())) return;
    this.relay.start();
    this.measuring = setInterval(() => void this.measure(), LAG_MS);
    this.measuring.unref();
    await this.receiver.start();
  }

  /** Events of the service that wait in Kafka, by topic. */
  waiting(): Promise<ReadonlyMap<string, number>> {
    const { settings, topics } = this.parts;
    const names = topics.map((topic) => `${settings.prefix}${topic}`);
    return names.length === 0 ? Promise.resolve(new Map()) : lagOf(this.admin, this.receiver.group, names);
  }

  /** Tells the lag, and none where Kafka cannot be asked: an old figure would pass for a new one. */
  async measure(): Promise<void> {
    const { prefix } = this.parts.settings;
    try {
      for (const [topic, count] of await this.waiting()) this.lag.set({ topic: topic.slice(prefix.length) }, count);
    } catch {
      this.lag.reset();
    }
  }

  /** Whether Kafka answers and the events of the service come from there. @throws when not */
  async ping(): Promise<void> {
    this.receiver.assertReceiving();
    await this.admin.describeCluster();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.measuring);
    // Beside each other: the client tries for a minute whatever it has begun, and cannot be told to leave it.
    const ends = [this.receiver.stop(), this.relay.stop(), this.admin.disconnect()];
    await atMost(LONGEST_STOP_MS, Promise.all(ends));
  }

  private async lookWith(admin: Admin): Promise<void> {
    const { service, settings } = this.parts;
    await admin.connect();
    await ensureTopics(admin, topicsOf(service), settings);
  }

  /** Whether the topics are there; not so when the transport was stopped before. @throws TopicsUnusable */
  private async reached(): Promise<boolean> {
    const { logger } = this.parts;
    const { signal } = this.stopping;
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        await this.lookWith(this.admin);
        return !signal.aborted;
      } catch (error) {
        if (error instanceof TopicsUnusable) throw error;
        const answers = answersIn(error);
        const what = answers.length > 0 ? `Kafka refuses the service (${answers.join(', ')})` : 'Kafka does not answer';
        logger.warn({ error }, `${what}; events of the service wait in its outbox`);
      }
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }
}
