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
import { Waker } from '../waker';
import { type Envelope, messageOf } from './envelope';

const BATCH = 500;
/** Lanes that one relay takes at a time: the others are left to other relays. */
const LANES_AT_ONCE = 8;
const LEASE = '15 seconds';
const RENEW_MS = 5_000;

type Row = Envelope & { readonly id: string };

const claimSql = (service: string): string => `
with head as (select distinct lane from (select lane from ${service}.outbox order by id limit ${4 * BATCH}) waiting)
update ${service}.outbox_lane set holder = $1, held_until = now() + interval '${LEASE}'
where lane in (
  select lane from ${service}.outbox_lane where lane in (select lane from head) and (holder = $1 or held_until < now())
  order by lane limit ${LANES_AT_ONCE} for update skip locked)
returning lane`;

/** A statement of its own: it sees what those who held the lanes before have taken away. */
const readSql = (service: string): string => `
select id, event_id, group_id, topic, event_key, payload, cause, to_json(occurred_at) #>> '{}' as occurred_at, trace
from ${service}.outbox where lane = any($1::int[]) order by id limit ${BATCH}`;

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
  private moving: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: KafkaRelayParts) {
    const connection: DatabaseConnection = { ...parts.connection, lane: 'background', max: 2 };
    this.pool = openPool(connection);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    this.published = parts.metrics.counter('events_published_total', 'Events that Kafka has taken', ['topic']);
    const concerns = (payload: string): boolean => payload === parts.service;
    this.waker = new Waker(connection, OUTBOX_CHANNEL, () => this.relay(), concerns);
  }

  start(): void {
    this.waker.start();
  }

  async stop(): Promise<void> {
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
      this.parts.logger.warn({ error }, 'relay is waiting for the database or for Kafka');
    }
  }

  private async moveWaiting(): Promise<number> {
    let total = 0;
    for (;;) {
      const moved = await this.moveBatch();
      total += moved;
      if (moved === 0) return total;
    }
  }

  private async moveBatch(): Promise<number> {
    const { service } = this.parts;
    const lanes = await this.pool.query<{ lane: number }>(claimSql(service), [this.holder]);
    if (lanes.rows.length === 0) return 0;
    try {
      const { rows } = await this.pool.query<Row>(readSql(service), [lanes.rows.map(({ lane }) => lane)]);
      this.failpoints.hit('relay.before-move');
      await this.whileHolding(() => this.publish(rows));
      this.failpoints.hit('relay.after-publish');
      await this.pool.query(`delete from ${service}.outbox where id = any($1::bigint[])`, [rows.map(({ id }) => id)]);
      return rows.length;
    } finally {
      await this.letGo();
    }
  }

  private async publish(rows: readonly Row[]): Promise<void> {
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
  }

  /** Whoever takes the message goes on from here. */
  private begin({ topic, trace }: Row): Span {
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

  /** Kafka may be away for longer than a lease. */
  private async whileHolding<T>(work: () => Promise<T>): Promise<T> {
    const { service } = this.parts;
    const sql = `update ${service}.outbox_lane set held_until = now() + interval '${LEASE}' where holder = $1 and held_until > now()`;
    const renewing = setInterval(() => void this.pool.query(sql, [this.holder]).catch(() => undefined), RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  private async letGo(): Promise<void> {
    const sql = `update ${this.parts.service}.outbox_lane set held_until = '-infinity' where holder = $1`;
    await this.pool.query(sql, [this.holder]).catch(() => undefined);
  }
}
