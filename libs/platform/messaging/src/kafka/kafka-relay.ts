import { randomUUID } from 'node:crypto';
import type { Kafka, Message, Producer } from 'kafkajs';
import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import { type DatabaseConnection, openPool } from '@acervo/platform-database';
import {
  failureOf,
  type Logger,
  type Metrics,
  readTraceparent,
  type Span,
  Tracer,
  traceparentOf,
} from '@acervo/platform-observability';
import { Failpoints } from '../failpoints';
import { OUTBOX_CHANNEL } from '../outbox';
import { unpublished, type WaitingSource } from '../waiting-figures';
import { Waker } from '../waker';
import { messageOf } from './envelope';
import { BATCH, HeldLanes, type OutboxRow } from './held-lanes';
import { isTooLarge } from './kafka-errors';
import { inPieces } from './pieces';

/** Batches for which lanes are held: then it is the turn of those whose events have waited longer by now. */
const BATCHES_A_HOLD = 16;

/** Work that goes on beside other work: its failure is told where it is awaited. */
const beside = <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  return work;
};

export interface KafkaRelayParts {
  readonly service: ServiceName;
  readonly kafka: Kafka;
  readonly prefix: string;
  /** Where the relay role logs in. */
  readonly connection: DatabaseConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly failpoints?: Failpoints;
}

/**
 * Publishes the outbox of one service to Kafka. Lanes are held by lease, so several relays share the work; a row goes
 * only after every copy has it. What was published and not yet taken away when a relay ends is published again.
 */
export class KafkaRelay {
  private readonly holder = randomUUID();
  private readonly pool: Pool;
  private readonly waker: Waker;
  private readonly failpoints: Failpoints;
  private readonly published;
  private producer: Producer | undefined;
  private readonly stopping = new AbortController();
  private moving: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: KafkaRelayParts) {
    const connection: DatabaseConnection = { ...parts.connection, lane: 'background', max: 3 };
    this.pool = openPool(connection);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    this.published = parts.metrics.counter('events_published_total', 'Events that Kafka has taken', ['topic']);
    const concerns = (payload: string): boolean => payload === parts.service;
    this.waker = new Waker(connection, OUTBOX_CHANNEL, () => this.relay(), concerns);
  }

  /** What it has to publish. */
  get waiting(): WaitingSource {
    return unpublished(this.parts.service, this.pool);
  }

  start(): void {
    this.waker.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.waker.stop();
    await this.moving;
    await this.producer?.disconnect().catch(() => undefined);
    await this.pool.end();
  }

  /** Publishes whatever waits in lanes that nobody else holds; answers how much that was. */
  moveAll(): Promise<number> {
    const next = this.moving.then(() => this.moveWaiting());
    this.moving = next.catch(() => undefined);
    return next;
  }

  private async relay(): Promise<void> {
    try {
      await this.moveAll();
    } catch (error) {
      const { logger } = this.parts;
      if (isTooLarge(error))
        logger.error({ error }, 'Kafka refuses an event for its size; raise max.message.bytes of its topic');
      else logger.warn({ error }, 'relay is waiting for the database or for Kafka');
    }
  }

  private async moveWaiting(): Promise<number> {
    let total = 0;
    for (;;) {
      const lanes = await HeldLanes.claim(this.pool, this.parts.service, this.holder);
      if (lanes === undefined) return total;
      const moved = await lanes.whileHeld(this.stopping.signal, () => this.moveFrom(lanes));
      total += moved;
      if (moved === 0) return total;
    }
  }

  /** While a batch is on its way to Kafka, the next one is read and the one before it is taken away. */
  private async moveFrom(lanes: HeldLanes): Promise<number> {
    let moved = 0;
    let next = lanes.read();
    let removing: Promise<void> = Promise.resolve();
    try {
      for (let turn = 1; turn <= BATCHES_A_HOLD; turn += 1) {
        const rows = await next;
        const isLast = rows.length < BATCH || turn === BATCHES_A_HOLD;
        if (rows.length === 0) break;
        if (!isLast) next = beside(lanes.read(rows.at(-1)));
        for (const piece of inPieces(rows)) await this.publish(piece);
        await removing;
        removing = beside(lanes.remove(rows));
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
    const byTopic = new Map<string, Message[]>();
    const spans: Span[] = [];
    for (const row of rows) {
      const span = this.begin(row);
      spans.push(span);
      const messages = byTopic.get(row.topic) ?? [];
      messages.push(messageOf({ ...row, trace: traceparentOf(span.context) }));
      byTopic.set(row.topic, messages);
    }
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

  /** Whoever takes the message goes on from here. */
  private begin({ topic, trace }: OutboxRow): Span {
    return (this.parts.tracer ?? Tracer.none).start(
      { name: `publish ${topic}`, kind: 'producer' },
      readTraceparent(trace),
    );
  }

  private async send(byTopic: ReadonlyMap<string, Message[]>): Promise<void> {
    const topicMessages = [...byTopic].map(([topic, messages]) => ({
      topic: `${this.parts.prefix}${topic}`,
      messages,
    }));
    const producer = await this.opened();
    try {
      await producer.sendBatch({ topicMessages, acks: -1 });
    } catch (error) {
      // Whether it arrived is unknown, and the next batch would bear the same numbers and be taken for it.
      this.producer = undefined;
      await producer.disconnect().catch(() => undefined);
      throw error;
    }
  }

  private async opened(): Promise<Producer> {
    if (this.producer !== undefined) return this.producer;
    const producer = this.parts.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    this.producer = producer;
    return producer;
  }
}
