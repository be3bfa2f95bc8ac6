import { Inject, Injectable, Optional } from '@nestjs/common';
import { revive, type ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import { type Database, EventsDatabase, isConnectionLost, type Transaction } from '@acervo/platform-database';
import { beginAtZero, readTraceparent, Telemetry, workContext } from '@acervo/platform-observability';
import { atMost, exponential, Mutex, withJitter } from '@acervo/platform-resilience';
import { WorkScope } from '@acervo/rbac';
import { replayKey } from './dead-letters';
import { INCOMING_CHANNEL, isFor } from './embedded-relay';
import { BatchSizes, batchesOf, keyOf, sharedTrace } from './event-batches';
import { withOrigin } from './event-origin';
import { Failpoints } from './failpoints';
import { type Incoming, IncomingEvents } from './incoming-events';
import { deadLetterTopic } from './dead-letter-topic';
import { DEAD_LETTERED, EVENT, EVENT_WAIT, HANDLED } from './messaging-metrics';
import { OUTBOX_CHANNEL, partitionOf } from './outbox';
import type { Subscription } from './subscriptions';
import { type Left, NotificationListener } from './notification-listener';
import { Notifications } from './notifications';

/** How long a handled event is remembered against a second delivery. */
const MEMORY = '7 days';
/**
 * Deaths before an event is given up. A suspended machine or a killed program causes some; more are caused by the event
 * itself.
 */
const MOST_DEATHS = 8;
/** How long a stop waits for the handler of an event. */
const LONGEST_HANDLER_MS = 2_000;
/** Reason of an event that is dead-lettered because every process died while handling it. */
const WORKER_DIED = 'WorkerDied';

/** Tries of an event before it is dead-lettered, and the wait before the second one, which doubles from there. */
export class EventRetries {
  constructor(
    readonly attempts = 8,
    readonly firstWaitMs = 200,
  ) {}
}

/**
 * Passes the events in `incoming` to their handlers, in order per group and key: one transaction for each event and its
 * inbox row, or for several of one topic where the handler takes them at once. An event that keeps failing is dead-lettered and its key parked; everything else continues.
 */
@Injectable()
export class Consumer {
  private readonly incoming: IncomingEvents;
  private readonly listener: NotificationListener;
  private readonly handled;
  private readonly seconds;
  private readonly waited;
  private readonly deadLettered;
  private subscriptions: ReadonlyMap<string, Subscription> = new Map();
  private handledListener: () => void = () => undefined;
  private readonly draining = new Mutex();
  private readonly sizes = new BatchSizes();
  private stopping = false;
  /** When the last event that this process postponed may be tried again. */
  private triedAgainAt = 0;

  constructor(
    @Inject(SERVICE_NAME) private readonly service: ServiceName,
    @Inject(EventsDatabase) private readonly database: Database,
    notifications: Notifications,
    private readonly telemetry: Telemetry,
    @Optional() private readonly failpoints: Failpoints = Failpoints.none,
    @Optional() private readonly retries: EventRetries = new EventRetries(),
  ) {
    const { metrics } = telemetry;
    this.incoming = new IncomingEvents(service, database);
    this.handled = metrics.counter(HANDLED);
    this.seconds = metrics.seconds(EVENT);
    this.waited = metrics.seconds(EVENT_WAIT);
    this.deadLettered = metrics.counter(DEAD_LETTERED);
    this.listener = new NotificationListener(notifications, INCOMING_CHANNEL, () => this.consume(), isFor(service));
  }

  /** Sets the subscriptions; called before any event is handled. */
  subscribe(subscriptions: ReadonlyMap<string, Subscription>): this {
    this.subscriptions = subscriptions;
    const topics = [...subscriptions.keys()];
    beginAtZero(this.handled, { topic: topics, outcome: ['handled', 'failed'] });
    beginAtZero(this.deadLettered, { topic: topics });
    return this;
  }

  /** Calls the listener after events are handled and committed; it may start their tasks and is not awaited. */
  onHandled(listener: () => void): void {
    this.handledListener = listener;
  }

  start(): void {
    this.listener.start();
  }

  /**
   * Ends after the event in progress. A handler that takes long is interrupted: its transaction is rolled back with the
   * end of the process, and another process handles the event. Without a database the lease expires.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    await atMost(LONGEST_HANDLER_MS, this.listener.stop());
    await atMost(LONGEST_HANDLER_MS, this.incoming.release()).catch(() => undefined);
  }

  /** Handles all events that may be handled now; answers how many. Runs do not overlap. */
  drain(): Promise<number> {
    return this.draining.run(() => this.handleWaiting());
  }

  private async handleWaiting(): Promise<number> {
    let total = 0;
    for (;;) {
      if (this.stopping) return total;
      const events = await this.incoming.next();
      if (events.length === 0) return total;
      total += events.length;
      await this.handleInOrder(events);
      // Tasks of these events start now: the loop may continue as long as new events arrive.
      this.handledListener();
    }
  }

  /** Returns the dead letters of a key to `incoming`, oldest first, and releases the key. */
  async replay(groupId: string, key: string): Promise<void> {
    const { service, database } = this;
    await database.ungrouped((tx) => replayKey(tx, service, { groupId, key }));
    this.listener.trigger();
  }

  /** Deletes inbox rows of events that can no longer be delivered again. */
  async trim(): Promise<void> {
    const { service, database } = this;
    await database.ungrouped((tx) =>
      tx.query(`delete from ${service}.inbox where handled_at < now() - interval '${MEMORY}'`),
    );
  }

  private async consume(): Promise<Left> {
    try {
      await this.drain();
      return performance.now() < this.triedAgainAt ? 'something' : 'nothing';
    } catch (error) {
      this.telemetry.logger.warn({ error }, 'consumer is waiting for the database');
      return 'something';
    }
  }

  /** A postponed event delays its whole key: later events of the key stay in `incoming`. */
  private async handleInOrder(events: readonly Incoming[]): Promise<void> {
    const postponed = new Set<string>();
    for (const batch of batchesOf(events, (topic) => this.mostOf(topic))) {
      if (this.stopping) return;
      const ready = batch.filter((event) => !postponed.has(keyOf(event)));
      if (ready.length > 1 && (await this.handleTogether(ready))) continue;
      for (const event of ready) {
        if (this.stopping) return;
        if (!postponed.has(keyOf(event)) && !(await this.handle(event))) postponed.add(keyOf(event));
      }
    }
  }

  private mostOf(topic: string): number {
    const together = this.subscriptions.get(topic)?.together;
    return together === undefined ? 1 : this.sizes.of(topic, together.atOnce);
  }

  /**
   * Handles several events of a topic and group in one transaction. Answers whether they are finished: where one of them
   * fails, none is, and each is handled alone.
   */
  private async handleTogether(events: readonly Incoming[]): Promise<boolean> {
    const [first] = events;
    if (first === undefined) return true;
    const { topic, group_id: groupId, cause } = first;
    const attributes = { 'acervo.events': events.length };
    const context = { requestId: cause, groupId, trace: sharedTrace(events) };
    const began = performance.now();
    try {
      await workContext.run(context, () =>
        this.telemetry.tracer.run({ name: `handle ${topic}`, kind: 'consumer', attributes }, () =>
          this.applyTogether(first, events),
        ),
      );
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      this.telemetry.logger.warn({ error, topic, events: events.length }, 'events fail together; each is tried alone');
      return false;
    }
    const seconds = (performance.now() - began) / 1_000;
    for (const { age } of events) {
      this.waited.observe({ topic }, age);
      this.seconds.observe({ topic, outcome: 'handled' }, seconds / events.length);
    }
    this.handled.inc({ topic, outcome: 'handled' }, events.length);
    return true;
  }

  private async applyTogether(first: Incoming, events: readonly Incoming[]): Promise<void> {
    const { service, database } = this;
    const { topic } = first;
    const together = this.subscriptions.get(topic)?.together;
    if (together === undefined) throw new Error(`${service} does not handle several of ${topic} at once.`);
    const scope = new WorkScope(first.group_id, service, first.event_id);
    await database.write(scope, async (tx) => {
      const due = await this.finish(tx, events);
      const began = performance.now();
      const payloads = due.map((event) => this.payloadOf(event));
      if (payloads.length > 0) await together.handle(scope, tx, payloads);
      this.sizes.took(topic, events.length, performance.now() - began);
      for (const event of due) this.passFailpoints(event);
    });
  }

  private payloadOf({ topic, payload, trace }: Incoming): object {
    const subscription = this.subscriptions.get(topic);
    if (subscription === undefined) throw new Error(`${this.service} has no handler for ${topic}.`);
    return withOrigin(revive(subscription.event.payload, payload), { trace });
  }

  /** Handles an event under the trace that caused it, in any process and at any age. Answers whether it is finished. */
  private handle(event: Incoming): Promise<boolean> {
    const context = { requestId: event.cause, groupId: event.group_id, trace: readTraceparent(event.trace) };
    return workContext.run(context, () =>
      event.deaths > MOST_DEATHS ? this.giveUpAfterDeaths(event) : this.tryOnce(event),
    );
  }

  private async tryOnce(event: Incoming): Promise<boolean> {
    const { topic, attempts, age } = event;
    if (attempts === 0) this.waited.observe({ topic }, age);
    const attributes = { 'acervo.attempts': attempts + 1 };
    const stop = this.seconds.startTimer({ topic });
    try {
      await this.telemetry.tracer.run({ name: `handle ${topic}`, kind: 'consumer', attributes }, () =>
        this.apply(event),
      );
      stop({ outcome: 'handled' });
      this.handled.inc({ topic, outcome: 'handled' });
      return true;
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      stop({ outcome: 'failed' });
      this.handled.inc({ topic, outcome: 'failed' });
      this.telemetry.logger.error({ error, topic, event: event.event_id, attempts: attempts + 1 }, 'event failed');
      await this.postpone(event, error);
      return false;
    }
  }

  /** Dead-letters an event that ended every process which handled it. */
  private async giveUpAfterDeaths(event: Incoming): Promise<boolean> {
    const { topic, event_id, group_id, event_key, deaths } = event;
    this.telemetry.logger.error(
      { topic, event: event_id, group: group_id, key: event_key, deaths },
      'an event was dead-lettered: each time it was handled the program ended; replay its key when that is repaired',
    );
    await this.deadLetter(event, event.attempts, WORKER_DIED);
    return false;
  }

  private async apply(event: Incoming): Promise<void> {
    const { service, database } = this;
    const subscription = this.subscriptions.get(event.topic);
    if (subscription === undefined) throw new Error(`${service} has no handler for ${event.topic}.`);
    const scope = new WorkScope(event.group_id, service, event.event_id);
    await database.write(scope, async (tx) => {
      const due = await this.finish(tx, [event]);
      if (due.length === 0) return;
      await subscription.handle(scope, tx, this.payloadOf(event));
      this.passFailpoints(event);
    });
  }

  private passFailpoints({ topic }: Incoming): void {
    this.failpoints.hit('consumer.before-inbox');
    this.failpoints.hit(`handled.${topic}`);
  }

  /** Removes events from `incoming`, in the transaction of their effect. Answers those that are delivered first. */
  private async finish(tx: Transaction, events: readonly Incoming[]): Promise<readonly Incoming[]> {
    const { service } = this;
    const rows = await tx.prepared<{ event_id: string }>(
      `with gone as (delete from ${service}.incoming where id = any($1::bigint[]))
       insert into ${service}.inbox (event_id) select distinct e from unnest($2::uuid[]) e
       on conflict do nothing returning event_id`,
      [events.map(({ id }) => id), events.map(({ event_id }) => event_id)],
    );
    const first = new Set(rows.map(({ event_id }) => event_id));
    return events.filter(({ event_id }) => first.delete(event_id));
  }

  private async postpone(event: Incoming, error: unknown): Promise<void> {
    const { service, database } = this;
    const { attempts, firstWaitMs } = this.retries;
    const tried = event.attempts + 1;
    if (tried >= attempts) return this.deadLetter(event, tried, error instanceof Error ? error.name : 'Error');
    const wait = withJitter(exponential(tried, firstWaitMs));
    this.triedAgainAt = Math.max(this.triedAgainAt, performance.now() + wait);
    await database.ungrouped((tx) =>
      tx.query(
        `update ${service}.incoming set attempts = $2, not_before = now() + $3 * interval '1 ms' where id = $1`,
        [event.id, tried, wait],
      ),
    );
  }

  /** Writes a dead letter to the table, for a replay, and through the outbox to the topic, for other programs. */
  private async deadLetter(event: Incoming, tried: number, reason: string): Promise<void> {
    const { service, database } = this;
    const { group_id, event_key, topic } = event;
    await database.ungrouped(async (tx) => {
      await tx.query(
        `with dead as (delete from ${service}.incoming where id = $1 returning event_id, group_id, topic, event_key, payload, cause, occurred_at, trace),
         told as (insert into ${service}.outbox (lane, group_id, topic, event_key, payload, cause, trace)
           select $4, group_id, $5, event_key, jsonb_build_object('topic', topic, 'event_id', event_id, 'attempts', $2::int,
             'reason', $3::text, 'occurred_at', occurred_at, 'payload', payload), cause, trace from dead)
         insert into ${service}.dead_letter (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, attempts, reason)
         select event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, $2::int, $3::text from dead`,
        [event.id, tried, reason, partitionOf(group_id, event_key), deadLetterTopic(service)],
      );
      await tx.query(`select pg_notify($1, $2)`, [OUTBOX_CHANNEL, service]);
      await tx.query(`insert into ${service}.parked_key (group_id, event_key) values ($1, $2) on conflict do nothing`, [
        group_id,
        event_key,
      ]);
    });
    this.deadLettered.inc({ topic });
  }
}
