import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger, Metrics } from '@acervo/platform-observability';

const SESSION_MS = 10_000;
/** Between the end of one consumer and the next; it doubles from the first to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export interface GroupMemberParts {
  readonly kafka: Pick<Kafka, 'consumer'>;
  readonly groupId: string;
  /** With their prefix. */
  readonly topics: readonly string[];
  readonly take: (payload: EachBatchPayload) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** After how much silence the partitions of a member that died go to the others. */
  readonly sessionMs?: number;
  readonly firstWaitMs?: number;
}

/**
 * One member of a consumer group, for as long as it runs. The library begins again after what it holds for passing and
 * gives up for good after everything else (a coordinator that nobody names, a right that was withdrawn), without asking:
 * then a new consumer takes its place, however often.
 */
export class GroupMember {
  private readonly ended;
  private readonly leaving = new AbortController();
  private readonly left = new Promise<void>((resolve) => {
    this.leaving.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  private consumer: Consumer | undefined;
  private joined = false;

  constructor(private readonly parts: GroupMemberParts) {
    this.ended = parts.metrics.counter(
      'events_consumer_ended_total',
      'Ends of a consumer of Kafka that nobody asked for',
    );
  }

  /** Whether events come now. Between an end and the return they do not. */
  get isMember(): boolean {
    return this.joined;
  }

  get isLeaving(): boolean {
    return this.leaving.signal.aborted;
  }

  /** Resolves when events come for the first time, or never will because it has left. */
  join(): Promise<void> {
    return new Promise((resolve) => {
      void this.live(resolve).then(resolve);
    });
  }

  /** Leaves the group, so that others go on at once. */
  async leave(): Promise<void> {
    this.leaving.abort();
    await this.consumer?.disconnect();
  }

  private async live(onJoined: () => void): Promise<void> {
    const { logger, groupId, firstWaitMs = FIRST_WAIT_MS } = this.parts;
    for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const began = Date.now();
      const error = await this.untilItEnds(onJoined);
      this.joined = false;
      if (this.isLeaving) return;
      this.ended.inc();
      logger.error({ error, consumerGroup: groupId }, 'consuming from Kafka ended; it begins again by itself');
      if (Date.now() - began > LONGEST_WAIT_MS) wait = firstWaitMs;
      await pause(wait, undefined, { signal: this.leaving.signal }).catch(() => undefined);
    }
  }

  /** The life of one consumer. Answers what it ended with. */
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
    const { topics, take } = this.parts;
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
    const { kafka, groupId, sessionMs = SESSION_MS } = this.parts;
    return kafka.consumer({
      groupId,
      sessionTimeout: sessionMs,
      rebalanceTimeout: sessionMs,
      heartbeatInterval: sessionMs / 10,
      // A member that leaves waits for the fetch that is under way.
      maxWaitTimeInMs: 100,
      allowAutoTopicCreation: false,
      // Asked only for what the library holds for passing: then the same consumer goes on, unless it has left.
      retry: {
        ...{ initialRetryTime: 100, maxRetryTime: 1_000, retries: 60 },
        restartOnFailure: () => Promise.resolve(!this.isLeaving),
      },
    });
  }
}
