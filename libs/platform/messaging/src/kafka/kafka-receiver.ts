import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { INCOMING_CHANNEL } from '../embedded-relay';
import { Failpoints } from '../failpoints';
import { type Envelope, envelopeOf, MalformedMessage } from './envelope';
import { GroupMember } from './group-member';

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
  private readonly member: GroupMember;

  constructor(private readonly parts: KafkaReceiverParts) {
    this.received = parts.metrics.counter('events_received_total', 'Events that came from Kafka', ['topic']);
    this.malformed = parts.metrics.counter('events_malformed_total', 'Messages that are no events', ['topic']);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    this.member = new GroupMember({
      ...parts,
      groupId: this.group,
      topics: parts.topics.map((topic) => `${parts.prefix}${topic}`),
      take: (payload) => this.take(payload),
    });
  }

  get group(): string {
    return `${this.parts.prefix}${this.parts.service}`;
  }

  /** Resolves when events come. */
  async start(): Promise<void> {
    if (this.parts.topics.length > 0) await this.member.join();
  }

  /** @throws while events of the service wait for nothing but this receiver */
  assertReceiving(): void {
    if (this.parts.topics.length > 0 && !this.member.isMember)
      throw new Error(`${this.parts.service} is no member of the group ${this.group} of Kafka now.`);
  }

  /** Leaves the group, so that others go on at once. */
  stop(): Promise<void> {
    return this.member.leave();
  }

  private async take({ batch, resolveOffset, heartbeat, ...more }: EachBatchPayload): Promise<void> {
    const topic = batch.topic.slice(this.parts.prefix.length);
    const events = batch.messages.flatMap((message) => this.readable(topic, message));
    while (!(await this.written(events))) {
      // Without the database nothing can be taken; the partition stays ours meanwhile.
      await pause(PAUSE_MS);
      if (this.member.isLeaving || !more.isRunning() || more.isStale()) return;
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
