import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { exponential, pause } from '@acervo/platform-resilience';

const SESSION_MS = 10_000;
/** Wait between the end of one consumer and the next; it doubles from the first to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export interface GroupMemberDependencies {
  readonly kafka: Pick<Kafka, 'consumer'>;
  readonly groupId: string;
  /** Includes the prefix. */
  readonly topics: readonly string[];
  readonly take: (payload: EachBatchPayload) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
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

  constructor(private readonly dependencies: GroupMemberDependencies) {
    this.ended = dependencies.metrics.counter(
      'events_consumer_ended_total',
      'Ends of a consumer of Kafka that nobody asked for',
    );
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
    const { logger, groupId, firstWaitMs = FIRST_WAIT_MS } = this.dependencies;
    for (let failures = 1; ; failures += 1) {
      const began = Date.now();
      const error = await this.untilItEnds(onJoined);
      this.joined = false;
      if (this.isLeaving) return;
      this.ended.inc();
      logger.error({ error, consumerGroup: groupId }, 'consuming from Kafka ended; it begins again by itself');
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
    const { topics, take } = this.dependencies;
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (this.isLeaving) return;
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 3,
      eachBatch: take,
    });
  }

  private open(): Consumer {
    const { kafka, groupId, sessionMs = SESSION_MS } = this.dependencies;
    return kafka.consumer({
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
