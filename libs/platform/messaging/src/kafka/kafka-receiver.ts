import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Telemetry } from '@acervo/platform-observability';
import { Failpoints } from '../failpoints';
import { MALFORMED, RECEIVED, UNPROVEN } from '../messaging-metrics';
import { GroupMember } from './group-member';
import { type Refusal, sortOut, storeIncoming } from './incoming-store';
import { type Place, RefusedMessages } from './refused-messages';
import { deadLetterTopic } from '../dead-letter-topic';
import type { EventVerifier } from './signatures';

const PAUSE_MS = 500;
/** Messages stored together. Even where each one is refused, a slice takes a small part of a session timeout. */
const SLICE = 200;

/** What a service receives from Kafka. */
export interface ReceiverSettings {
  readonly service: ServiceName;
  readonly prefix: string;
  /** Topics that the service listens to, without the prefix. */
  readonly topics: readonly string[];
  /** Session timeout in milliseconds: the partitions of a silent member go to the others. */
  readonly sessionMs?: number;
  /** Absent where events are not signed. */
  readonly verifier?: EventVerifier | undefined;
}

/**
 * Writes the events of one service from Kafka into `incoming`, as a member of its one group. Handles no events: a
 * message that fails later blocks its key there, never its partition. Offsets are committed to Kafka only after the
 * database commit.
 */
export class KafkaReceiver {
  private readonly received;
  private readonly malformed;
  private readonly unproven;
  private readonly member: GroupMember;
  private readonly refused: RefusedMessages;

  constructor(
    kafka: Kafka,
    private readonly settings: ReceiverSettings,
    private readonly database: Database,
    private readonly telemetry: Telemetry,
    private readonly failpoints = Failpoints.none,
  ) {
    const { metrics } = telemetry;
    const { service, prefix, sessionMs } = settings;
    this.received = metrics.counter(RECEIVED, { topic: settings.topics });
    this.malformed = metrics.counter(MALFORMED, { topic: settings.topics });
    this.unproven = metrics.counter(UNPROVEN, { topic: settings.topics });
    this.refused = new RefusedMessages(kafka, `${prefix}${deadLetterTopic(service)}`);
    const memberSettings = { groupId: this.group, topics: this.topics, sessionMs };
    this.member = new GroupMember(kafka, memberSettings, (payload) => this.take(payload), telemetry);
  }

  get group(): string {
    return `${this.settings.prefix}${this.settings.service}`;
  }

  /** Topics that the service listens to; they include the prefix. */
  get topics(): readonly string[] {
    return this.settings.topics.map((topic) => `${this.settings.prefix}${topic}`);
  }

  /** Resolves when this process has joined the group. */
  async start(): Promise<void> {
    if (this.topics.length > 0) await this.member.join();
  }

  /** @throws while this process is no member of the group, and so receives no event */
  assertReceiving(): void {
    if (this.topics.length > 0 && !this.member.isMember)
      throw new Error(`${this.settings.service} is no member of the group ${this.group} of Kafka now.`);
  }

  /** Leaves the group, so that other members take over at once. */
  async stop(): Promise<void> {
    await this.member.leave();
    await this.refused.close();
  }

  /** In slices: one long step would exceed the session timeout, and all messages would be delivered again. */
  private async take(payload: EachBatchPayload): Promise<void> {
    const { messages } = payload.batch;
    for (let from = 0; from < messages.length && this.isOurs(payload); from += SLICE)
      if (!(await this.takeSlice(messages.slice(from, from + SLICE), payload))) return;
  }

  /** Answers whether the slice is finished. */
  private async takeSlice(messages: readonly KafkaMessage[], payload: EachBatchPayload): Promise<boolean> {
    const { batch, resolveOffset, heartbeat, ...more } = payload;
    const { service, prefix, verifier } = this.settings;
    const topic = batch.topic.slice(prefix.length);
    const sorted = await this.untilDone(() => sortOut(topic, messages, verifier), payload);
    if (sorted === undefined) return false;
    const { arrivals, refusals: unreadable } = sorted.result;
    const written = await this.untilDone(() => storeIncoming(this.database, service, arrivals), payload);
    if (written === undefined) return false;
    const refusals = [...unreadable, ...written.result];
    const waiting = [...refusals];
    if ((await this.untilDone(() => this.refused.put(waiting, batch), payload)) === undefined) return false;
    this.report(topic, arrivals.length - written.result.length, refusals, batch);
    this.failpoints.hit('receiver.before-commit');
    resolveOffset(messages.at(-1)?.offset ?? batch.lastOffset());
    await more.commitOffsetsIfNecessary(more.uncommittedOffsets());
    await heartbeat();
    return true;
  }

  /** Repeats a step until it succeeds, and keeps the partition meanwhile. Undefined once the partition is lost. */
  private async untilDone<T>(
    step: () => Promise<T>,
    payload: EachBatchPayload,
  ): Promise<{ readonly result: T } | undefined> {
    for (;;) {
      try {
        return { result: await step() };
      } catch (error) {
        this.telemetry.logger.warn(
          { error },
          'events wait in Kafka until they are verified and stored, or dead-lettered',
        );
      }
      await pause(PAUSE_MS);
      if (!this.isOurs(payload)) return undefined;
      await payload.heartbeat();
    }
  }

  /** Whether this process still owns the partition. */
  private isOurs({ isRunning, isStale }: EachBatchPayload): boolean {
    return !this.member.isLeaving && isRunning() && !isStale();
  }

  private report(topic: string, stored: number, refusals: readonly Refusal[], { partition }: Place): void {
    this.received.inc({ topic }, stored);
    const unproven = refusals.filter(({ isUnproven }) => isUnproven).length;
    this.unproven.inc({ topic }, unproven);
    this.malformed.inc({ topic }, refusals.length - unproven);
    for (const { reason, message, isUnproven } of refusals)
      this.telemetry.logger.error(
        { topic, partition, offset: message.offset, reason },
        isUnproven
          ? 'a message does not come from a service that publishes its topic and was dead-lettered unchanged'
          : 'a message is not an event of Acervo and was dead-lettered unchanged',
      );
  }
}
