import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Telemetry } from '@acervo/platform-observability';
import { exponential, pause } from '@acervo/platform-resilience';
import { CONSUMER_ENDED } from '../messaging-metrics';

const SESSION_MS = 10_000;
/** Wait between the end of one consumer and the next; it doubles from the first to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** What a member subscribes to, and how long the group waits for a silent one. */
export interface MemberSettings {
  readonly groupId: string;
  /** Includes the prefix. */
  readonly topics: readonly string[];
  /** Session timeout in milliseconds: the partitions of a silent member go to the others. */
  readonly sessionMs?: number;
  readonly firstWaitMs?: number;
}

/**
 * One member of a consumer group, for as long as it runs. The library restarts a consumer after errors that it
 * considers retriable. After all others (no coordinator, a withdrawn right) it gives up. Then a new consumer replaces
 * the old one, without a limit.
 */
export class GroupMember {
  private readonly ended;
  private readonly leaving = new AbortController();
  private readonly left = new Promise<void>((resolve) => {
    this.leaving.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  private consumer: Consumer | undefined;
  private joined = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'consumer'>,
    private readonly settings: MemberSettings,
    private readonly take: (payload: EachBatchPayload) => Promise<void>,
    private readonly telemetry: Telemetry,
  ) {
    this.ended = telemetry.metrics.counter(CONSUMER_ENDED);
  }

  /** Whether events are received now; false between the end of a consumer and the next join. */
  get isMember(): boolean {
    return this.joined;
  }

  get isLeaving(): boolean {
    return this.leaving.signal.aborted;
  }

  /** Resolves at the first join, or when the member leaves before. */
  join(): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.live(resolve).then(resolve, reject);
    });
  }

  /** Leaves the group, so that other members take over at once. */
  async leave(): Promise<void> {
    this.leaving.abort();
    await this.consumer?.disconnect();
  }

  private async live(onJoined: () => void): Promise<void> {
    const { groupId, firstWaitMs = FIRST_WAIT_MS } = this.settings;
    for (let failures = 1; ; failures += 1) {
      const began = Date.now();
      const error = await this.untilItEnds(onJoined);
      this.joined = false;
      if (this.isLeaving) return;
      this.ended.inc();
      this.telemetry.logger.error(
        { error, consumerGroup: groupId },
        'consuming from Kafka ended; it begins again by itself',
      );
      if (Date.now() - began > LONGEST_WAIT_MS) failures = 1;
      await pause(exponential(failures, firstWaitMs, LONGEST_WAIT_MS), this.leaving.signal);
    }
  }

  /** Runs one consumer; answers the error that it ended with. */
  private async untilItEnds(onJoined: () => void): Promise<unknown> {
    const consumer = this.open();
    this.consumer = consumer;
    const over = new Promise<unknown>((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
        this.joined = false;
        if (!restart) resolve(error);
      });
    });
    consumer.on(consumer.events.GROUP_JOIN, () => {
      this.joined = true;
      onJoined();
    });
    const failed = this.run(consumer).then(
      () => over,
      (error: unknown) => error,
    );
    const reason = await Promise.race([failed, over, this.left]);
    await consumer.disconnect().catch(() => undefined);
    return reason;
  }

  private async run(consumer: Consumer): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({ topics: [...this.settings.topics], fromBeginning: true });
    if (this.isLeaving) return;
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 3,
      eachBatch: this.take,
    });
  }

  private open(): Consumer {
    const { groupId, sessionMs = SESSION_MS } = this.settings;
    return this.kafka.consumer({
      groupId,
      sessionTimeout: sessionMs,
      rebalanceTimeout: sessionMs,
      heartbeatInterval: sessionMs / 10,
      // A leaving member waits for the current fetch.
      maxWaitTimeInMs: 100,
      allowAutoTopicCreation: false,
      // Called only for errors that the library considers retriable: the same consumer restarts, unless the member is
      // leaving.
      retry: {
        ...{ initialRetryTime: 100, maxRetryTime: 1_000, retries: 60 },
        restartOnFailure: () => Promise.resolve(!this.isLeaving),
      },
    });
  }
}
