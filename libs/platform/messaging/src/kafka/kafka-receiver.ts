import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { INCOMING_CHANNEL } from '../embedded-relay';
import { Failpoints } from '../failpoints';
import { type Envelope, envelopeOf, MalformedMessage } from './envelope';

const SESSION_MS = 10_000;
const PAUSE_MS = 500;

/** Events that were handled already are left where they are; the others keep their order. */
const takeSql = (service: string): string => `
with arrived as (
  select event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, ord
  from rows from (jsonb_to_recordset($1::jsonb) as (event_id uuid, group_id uuid, topic text, event_key text,
    payload jsonb, cause text, occurred_at timestamptz, trace text)) with ordinality
    as a (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, ord)
  where not exists (select from ${service}.inbox i where i.event_id = a.event_id)),
 taken as (
  insert into ${service}.incoming (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace)
  select event_id, group_id, topic, event_key, payload, cause, occurred_at, trace from arrived order by ord returning 1)
select pg_notify('${INCOMING_CHANNEL}', '') from (select count(*) from taken) done`;

export interface KafkaReceiverParts {
  readonly service: ServiceName;
  readonly kafka: Kafka;
  readonly prefix: string;
  readonly topics: readonly string[];
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly failpoints?: Failpoints;
  /** After how much silence the partitions of a member that died go to the others. */
  readonly sessionMs?: number;
}

/**
 * Takes the events of one service from Kafka into its `incoming`, as a member of its one group. Nothing is handled
 * here: a message that fails later holds up its key there, and never its partition. Kafka learns that a message was
 * taken only after the commit.
 */
export class KafkaReceiver {
  private readonly received;
  private readonly malformed;
  private readonly failpoints: Failpoints;
  private readonly consumer: KafkaConsumer;
  private stopping = false;

  constructor(private readonly parts: KafkaReceiverParts) {
    this.received = parts.metrics.counter('events_received_total', 'Events that came from Kafka', ['topic']);
    this.malformed = parts.metrics.counter('events_malformed_total', 'Messages that are no events', ['topic']);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    const { sessionMs = SESSION_MS } = parts;
    this.consumer = parts.kafka.consumer({
      sessionTimeout: sessionMs,
      rebalanceTimeout: sessionMs,
      heartbeatInterval: sessionMs / 10,
      // A member that leaves waits for the fetch that is under way.
      maxWaitTimeInMs: 100,
      groupId: this.group,
      allowAutoTopicCreation: false,
      // Whatever happens to the broker, this member comes back, unless it has left.
      retry: {
        ...{ initialRetryTime: 100, maxRetryTime: 1_000, retries: 60 },
        restartOnFailure: () => Promise.resolve(!this.stopping),
      },
    });
  }

  get group(): string {
    return `${this.parts.prefix}${this.parts.service}`;
  }

  async start(): Promise<void> {
    const topics = this.parts.topics.map((topic) => `${this.parts.prefix}${topic}`);
    if (topics.length === 0) return;
    await this.consumer.connect();
    await this.consumer.subscribe({ topics, fromBeginning: true });
    await this.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 3,
      eachBatch: (payload) => this.take(payload),
    });
  }

  /** Leaves the group, so that others go on at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.consumer.disconnect();
  }

  private async take({ batch, resolveOffset, heartbeat, ...more }: EachBatchPayload): Promise<void> {
    const topic = batch.topic.slice(this.parts.prefix.length);
    const events = batch.messages.flatMap((message) => this.readable(topic, message));
    while (!(await this.written(events))) {
      // Without the database nothing can be taken; the partition stays ours meanwhile.
      await pause(PAUSE_MS);
      if (this.stopping || !more.isRunning() || more.isStale()) return;
      await heartbeat();
    }
    this.received.inc({ topic }, events.length);
    this.failpoints.hit('receiver.before-commit');
    resolveOffset(batch.lastOffset());
    await more.commitOffsetsIfNecessary(more.uncommittedOffsets());
    await heartbeat();
  }

  private readable(topic: string, message: KafkaMessage): Envelope[] {
    try {
      return [envelopeOf(topic, message)];
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.malformed.inc({ topic });
      this.parts.logger.error({ error, topic, offset: message.offset }, 'a message is no event and is left out');
      return [];
    }
  }

  private async written(events: readonly Envelope[]): Promise<boolean> {
    if (events.length === 0) return true;
    const { service, database, logger } = this.parts;
    try {
      await database.ungrouped((tx) => tx.query(takeSql(service), [JSON.stringify(events)]));
      return true;
    } catch (error) {
      logger.warn({ error }, 'events wait in Kafka for the database');
      return false;
    }
  }
}
