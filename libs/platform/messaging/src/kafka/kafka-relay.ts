import { randomUUID } from 'node:crypto';
import type { Kafka, Message, Producer } from 'kafkajs';
import type { Pool } from 'pg';
import { publishedBy, type ServiceName } from '@acervo/contracts';
import { openPool } from '@acervo/platform-database';
import { failureOf, readTraceparent, type Span, type Telemetry, traceparentOf } from '@acervo/platform-observability';
import { Mutex } from '@acervo/platform-resilience';
import { Failpoints } from '../failpoints';
import { OUTBOX_CHANNEL } from '../outbox';
import { PUBLISHED } from '../messaging-metrics';
import { unpublished, type WaitingSource } from '../waiting-figures';
import { type Left, NotificationListener } from '../notification-listener';
import type { RelayDatabase } from '../transport';
import { messagesByTopic } from './envelope';
import { BATCH, PartitionLease, type OutboxRow } from './partition-lease';
import { isTooLarge } from './kafka-errors';
import { inPieces } from './pieces';
import type { EventSigner } from './signatures';

/** Batches per lease of partitions; then partitions with older events take precedence. */
const BATCHES_A_LEASE = 16;

/** Marks a concurrent promise as handled: its failure is thrown where it is awaited. */
const beside = <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  return work;
};

/**
 * Publishes the outbox of one service to Kafka. Partitions are leased, so several relays share the work. A row is
 * deleted only after every in-sync replica has its event. Events published but not yet deleted when a relay ends are
 * published again.
 */
export class KafkaRelay {
  private readonly holder = randomUUID();
  private readonly pool: Pool;
  private readonly listener: NotificationListener;
  private readonly published;
  private producer: Producer | undefined;
  private readonly stopping = new AbortController();
  private readonly moving = new Mutex();

  constructor(
    private readonly kafka: Kafka,
    private readonly service: ServiceName,
    private readonly prefix: string,
    { connection, notifications }: RelayDatabase,
    private readonly telemetry: Telemetry,
    private readonly failpoints = Failpoints.none,
    private readonly signer?: EventSigner,
  ) {
    this.pool = openPool({ ...connection, priority: 'background' });
    this.published = telemetry.metrics.counter(PUBLISHED, { topic: publishedBy(service).map(({ topic }) => topic) });
    const concerns = (payload: string): boolean => payload === service;
    this.listener = new NotificationListener(notifications, OUTBOX_CHANNEL, () => this.relay(), concerns);
  }

  /** The source of figures about unpublished events. */
  get unpublished(): WaitingSource {
    return unpublished(this.service, this.pool);
  }

  start(): void {
    this.listener.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.listener.stop();
    await this.moving.settled();
    await this.producer?.disconnect().catch(() => undefined);
    await this.pool.end();
  }

  /** Publishes all events in partitions that no other relay leases; answers how many. */
  moveAll(): Promise<number> {
    return this.moving.run(() => this.moveWaiting());
  }

  private async relay(): Promise<Left> {
    try {
      await this.moveAll();
      return 'nothing';
    } catch (error) {
      const { logger } = this.telemetry;
      if (isTooLarge(error))
        logger.error({ error }, 'Kafka refuses an event for its size; raise max.message.bytes of its topic');
      else logger.warn({ error }, 'relay is waiting for the database or for Kafka');
      return 'something';
    }
  }

  private async moveWaiting(): Promise<number> {
    let total = 0;
    for (;;) {
      const lease = await PartitionLease.claim(this.pool, this.service, this.holder);
      if (lease === undefined) return total;
      const moved = await lease.runThenRelease(this.stopping.signal, () => this.moveFrom(lease));
      total += moved;
      if (moved === 0) return total;
    }
  }

  /** While Kafka receives a batch, the next one is read and the one before it is deleted. */
  private async moveFrom(lease: PartitionLease): Promise<number> {
    let moved = 0;
    let next = lease.read();
    let removing: Promise<void> = Promise.resolve();
    try {
      for (let turn = 1; turn <= BATCHES_A_LEASE; turn += 1) {
        const rows = await next;
        const isLast = rows.length < BATCH || turn === BATCHES_A_LEASE;
        if (rows.length === 0) break;
        if (!isLast) next = beside(lease.read(rows.at(-1)));
        for (const piece of inPieces(rows)) await this.publish(piece);
        await removing;
        removing = beside(lease.remove(rows));
        moved += rows.length;
        if (isLast) break;
      }
      await removing;
      return moved;
    } finally {
      await Promise.allSettled([next, removing]);
    }
  }

  private async publish(rows: readonly OutboxRow[]): Promise<void> {
    this.failpoints.hit('relay.before-move');
    const traced = rows.map((row) => ({ row, span: this.begin(row) }));
    const spans = traced.map(({ span }) => span);
    const events = traced.map(({ row, span }) => ({ ...row, trace: traceparentOf(span.context) }));
    const byTopic = await messagesByTopic(events, this.signer);
    try {
      await this.send(byTopic);
      for (const span of spans) span.end();
    } catch (error) {
      for (const span of spans) span.end({ failure: failureOf(error) });
      throw error;
    }
    for (const [topic, messages] of byTopic) this.published.inc({ topic }, messages.length);
    this.failpoints.hit('relay.after-publish');
  }

  /** Starts the span that the receiver of the message continues. */
  private begin({ topic, trace }: OutboxRow): Span {
    return this.telemetry.tracer.start({ name: `publish ${topic}`, kind: 'producer' }, readTraceparent(trace));
  }

  private async send(byTopic: ReadonlyMap<string, Message[]>): Promise<void> {
    const topicMessages = [...byTopic].map(([topic, messages]) => ({
      topic: `${this.prefix}${topic}`,
      messages,
    }));
    const producer = await this.opened();
    try {
      await producer.sendBatch({ topicMessages, acks: -1 });
    } catch (error) {
      // It is unknown whether the batch arrived. The next batch of this producer would carry the same sequence numbers
      // and count as a duplicate.
      this.producer = undefined;
      await producer.disconnect().catch(() => undefined);
      throw error;
    }
  }

  private async opened(): Promise<Producer> {
    if (this.producer !== undefined) return this.producer;
    const producer = this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    this.producer = producer;
    return producer;
  }
}
