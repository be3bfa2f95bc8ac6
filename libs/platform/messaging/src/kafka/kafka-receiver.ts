import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { Failpoints } from '../failpoints';
import { GroupMember } from './group-member';
import { type Refusal, sortOut, takeIn } from './intake';
import { type Place, RefusedMessages } from './refused-messages';

const PAUSE_MS = 500;
/** Messages that are taken in together: where each is refused they take a small part of a session. */
const SLICE = 200;

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
  private readonly refused: RefusedMessages;

  constructor(private readonly parts: KafkaReceiverParts) {
    this.received = parts.metrics.counter('events_received_total', 'Events that came from Kafka', ['topic']);
    this.malformed = parts.metrics.counter('events_malformed_total', 'Messages that are no events', ['topic']);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    this.refused = new RefusedMessages(parts);
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

  /** @throws while this process is no member of the group: then no event comes to it */
  assertReceiving(): void {
    if (this.parts.topics.length > 0 && !this.member.isMember)
      throw new Error(`${this.parts.service} is no member of the group ${this.group} of Kafka now.`);
  }

  /** Leaves the group, so that others go on at once. */
  async stop(): Promise<void> {
    await this.member.leave();
    await this.refused.close();
  }

  /** In slices: over one long step this process would be taken for dead, and everything would come again. */
  private async take(payload: EachBatchPayload): Promise<void> {
    const { messages } = payload.batch;
    for (let from = 0; from < messages.length && this.isOurs(payload); from += SLICE)
      if (!(await this.takeSlice(messages.slice(from, from + SLICE), payload))) return;
  }

  /** Whether they are done with. */
  private async takeSlice(messages: readonly KafkaMessage[], payload: EachBatchPayload): Promise<boolean> {
    const { batch, resolveOffset, heartbeat, ...more } = payload;
    const { service, database, prefix } = this.parts;
    const topic = batch.topic.slice(prefix.length);
    const { arrivals, refusals: unreadable } = sortOut(topic, messages);
    const refusals = [...unreadable];
    const write = async (): Promise<void> => void refusals.push(...(await takeIn(database, service, arrivals)));
    if (!(await this.untilDone(write, payload))) return false;
    const waiting = [...refusals];
    if (!(await this.untilDone(() => this.refused.put(waiting, batch), payload))) return false;
    this.tell(topic, arrivals.length - refusals.length + unreadable.length, refusals, batch);
    this.failpoints.hit('receiver.before-commit');
    resolveOffset(messages.at(-1)?.offset ?? batch.lastOffset());
    await more.commitOffsetsIfNecessary(more.uncommittedOffsets());
    await heartbeat();
    return true;
  }

  /** Without the database or Kafka nothing can be taken; the partition stays ours meanwhile. Whether it is still ours. */
  private async untilDone(step: () => Promise<void>, payload: EachBatchPayload): Promise<boolean> {
    for (;;) {
      try {
        await step();
        return true;
      } catch (error) {
        this.parts.logger.warn({ error }, 'events wait in Kafka until they can be written down or laid aside');
      }
      await pause(PAUSE_MS);
      if (!this.isOurs(payload)) return false;
      await payload.heartbeat();
    }
  }

  /** Whether what comes from a partition is still for this process. */
  private isOurs({ isRunning, isStale }: EachBatchPayload): boolean {
    return !this.member.isLeaving && isRunning() && !isStale();
  }

  private tell(topic: string, taken: number, refusals: readonly Refusal[], { partition }: Place): void {
    this.received.inc({ topic }, taken);
    this.malformed.inc({ topic }, refusals.length);
    for (const { reason, message } of refusals)
      this.parts.logger.error(
        { topic, partition, offset: message.offset, reason },
        'a message is no event of ours and was laid aside as it is',
      );
  }
}
