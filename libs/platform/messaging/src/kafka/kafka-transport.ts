import { readFileSync } from 'node:fs';
import type { Admin } from 'kafkajs';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Telemetry } from '@acervo/platform-observability';
import { atMost, exponential, Periodic, retryUntilStopped } from '@acervo/platform-resilience';
import { Failpoints } from '../failpoints';
import { LAG } from '../messaging-metrics';
import { type RelayDatabase, RemoteEventTransport } from '../transport';
import type { WaitingSource } from '../waiting-figures';
import { type KafkaSettings, openKafka, SOON } from './kafka-client';
import { answersIn } from './kafka-errors';
import { lagOf } from './kafka-lag';
import { KafkaReceiver } from './kafka-receiver';
import { KafkaRelay } from './kafka-relay';
import { EventSigner, EventVerifier } from './signatures';
import { ensureTopics, topicsOf, TopicsUnusable } from './topics';

const LAG_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** How long a start waits for a slow Kafka before it continues without. */
const LOOK_MS = 3_000;

/** How long a stop waits for a Kafka that does not answer; the next start publishes what is left. */
const LONGEST_STOP_MS = 5_000;

/** The Kafka transport of one service: a relay for its events, a receiver for the topics it subscribes to. */
export class KafkaTransport extends RemoteEventTransport {
  override readonly remote = true;
  private readonly admin: Admin;
  private readonly lag;
  private readonly stopping = new AbortController();
  private readonly measuring = new Periodic(() => this.measure(), { everyMs: LAG_MS });

  constructor(
    private readonly service: ServiceName,
    private readonly settings: KafkaSettings,
    readonly relay: KafkaRelay,
    readonly receiver: KafkaReceiver,
    private readonly telemetry: Telemetry,
  ) {
    super();
    this.admin = openKafka(settings, telemetry.logger, SOON).admin();
    this.lag = telemetry.metrics.gauge(LAG);
  }

  get unpublished(): readonly WaitingSource[] {
    return [this.relay.unpublished];
  }

  /**
   * Checks the topics before any work starts. Does not wait for an absent Kafka: `start` waits, and checks them then.
   * @throws TopicsUnusable
   */
  async check(): Promise<void> {
    const { settings } = this;
    const admin = openKafka(settings, this.telemetry.logger, { ...SOON, retries: settings.brokers.length }).admin();
    const looked = this.lookWith(admin).finally(() => admin.disconnect());
    try {
      await atMost(LOOK_MS, looked);
    } catch (error) {
      if (error instanceof TopicsUnusable) throw error;
    }
  }

  /**
   * Resolves when events can be sent and received, or when the transport stops before. Retries until Kafka answers;
   * events wait in the outbox meanwhile.
   * @throws TopicsUnusable
   */
  async start(): Promise<void> {
    if (!(await this.reached())) return;
    this.relay.start();
    this.measuring.start();
    await this.receiver.start();
  }

  /** Events of the service that wait in Kafka, by topic. */
  waiting(): Promise<ReadonlyMap<string, number>> {
    const { group, topics } = this.receiver;
    return topics.length === 0 ? Promise.resolve(new Map()) : lagOf(this.admin, group, topics);
  }

  /** Publishes the lag; publishes none where Kafka does not answer, since a stale figure would pass for a fresh one. */
  async measure(): Promise<void> {
    const { prefix } = this.settings;
    try {
      for (const [topic, count] of await this.waiting()) this.lag.set({ topic: topic.slice(prefix.length) }, count);
    } catch {
      this.lag.reset();
    }
  }

  /** Checks that Kafka answers and that this service receives events. @throws otherwise */
  async ping(): Promise<void> {
    this.receiver.assertReceiving();
    await this.admin.describeCluster();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    void this.measuring.stop();
    // Concurrently: the client retries each operation for a minute and cannot be interrupted.
    const ends = [this.receiver.stop(), this.relay.stop(), this.admin.disconnect()];
    await atMost(LONGEST_STOP_MS, Promise.all(ends));
  }

  private async lookWith(admin: Admin): Promise<void> {
    await admin.connect();
    await ensureTopics(admin, topicsOf(this.service), this.settings);
  }

  /** Answers whether the topics are ready; false when the transport stopped before. @throws TopicsUnusable */
  private async reached(): Promise<boolean> {
    const { signal: stopped } = this.stopping;
    const waitMs = (failures: number, error: unknown): number => {
      if (error instanceof TopicsUnusable) throw error;
      this.warn(error);
      return exponential(failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    };
    await retryUntilStopped(() => this.lookWith(this.admin), { waitMs, stopped });
    return !stopped.aborted;
  }

  private warn(error: unknown): void {
    const answers = answersIn(error);
    const what = answers.length > 0 ? `Kafka refuses the service (${answers.join(', ')})` : 'Kafka does not answer';
    this.telemetry.logger.warn({ error }, `${what}; events of the service wait in its outbox`);
  }
}

/** What the transport of one service connects. */
export interface KafkaTransportOptions {
  readonly service: ServiceName;
  readonly settings: KafkaSettings;
  /** Topics that the service listens to. */
  readonly topics: readonly string[];
  readonly database: Database;
  readonly relay: RelayDatabase;
  readonly telemetry: Telemetry;
  readonly failpoints?: Failpoints;
  readonly sessionMs?: number;
}

const signerOf = (service: ServiceName, { signatures }: KafkaSettings): EventSigner | undefined =>
  signatures?.key ? new EventSigner(service, signatures.key) : undefined;

const verifierOf = ({ settings, topics }: KafkaTransportOptions): EventVerifier | undefined => {
  const { keys, unsigned = false } = settings.signatures ?? {};
  return keys ? new EventVerifier(() => readFileSync(keys, 'utf8'), topics, unsigned) : undefined;
};

/**
 * The transport of one service with its relay and its receiver, which share a client.
 * @throws UnusableEventKey
 */
export const openKafkaTransport = (options: KafkaTransportOptions): KafkaTransport => {
  const { service, settings, topics, database, telemetry, failpoints, sessionMs } = options;
  const { prefix } = settings;
  const kafka = openKafka(settings, telemetry.logger);
  const [signer, verifier] = [signerOf(service, settings), verifierOf(options)];
  if (signer === undefined || verifier === undefined)
    telemetry.logger.warn('events are not signed or not verified: set ACERVO_EVENT_KEY and ACERVO_EVENT_KEYS');
  const relay = new KafkaRelay(kafka, service, prefix, options.relay, telemetry, failpoints, signer);
  const received = { service, prefix, topics, sessionMs, verifier };
  const receiver = new KafkaReceiver(kafka, received, database, telemetry, failpoints);
  return new KafkaTransport(service, settings, relay, receiver, telemetry);
};
