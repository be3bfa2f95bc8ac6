import { revive, type ServiceName } from '@acervo/contracts';
import { type Database, type DatabaseConnection, isConnectionLost, type Transaction } from '@acervo/platform-database';
import { type Logger, type Metrics, readTraceparent, Tracer, workContext } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import { replayKey } from './dead-letters';
import { INCOMING_CHANNEL } from './embedded-relay';
import { Failpoints } from './failpoints';
import { type Incoming, IncomingEvents } from './incoming-events';
import { deadLetterTopic } from './kafka/topics';
import { laneOf } from './outbox';
import type { Subscription } from './subscriptions';
import { Waker } from './waker';

/** How long a handled event is remembered against a second delivery. */
const MEMORY = '7 days';
/** As with work: machines are suspended and programs are killed, and what goes wrong more often is the event itself. */
const MOST_DEATHS = 8;
/** Why an event is laid aside that ended whoever handled it. */
const WORKER_DIED = 'WorkerDied';

export interface ConsumerParts {
  readonly service: ServiceName;
  readonly database: Database;
  /** Where notifications are listened for. */
  readonly connection: DatabaseConnection;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly failpoints?: Failpoints;
  /** Tries before an event is laid aside. */
  readonly attempts?: number;
  /** Wait before the second try, in milliseconds; it doubles from there. */
  readonly backoffMs?: number;
  /** Told after events were handled and committed: what they left to do may begin, and is not waited for. */
  readonly afterwards?: () => void;
}

/**
 * Hands the events that arrived for a service to their handlers: one transaction each with its inbox row, in order
 * per group and key. An event that keeps failing is laid aside with its key, and everything else goes on.
 */
export class Consumer {
  private readonly incoming: IncomingEvents;
  private readonly waker: Waker;
  private readonly failpoints: Failpoints;
  private readonly tracer: Tracer;
  private readonly handled;
  private readonly seconds;
  private readonly waited;
  private readonly laidAside;
  private draining: Promise<unknown> = Promise.resolve();
  private stopping = false;

  constructor(private readonly parts: ConsumerParts) {
    this.incoming = new IncomingEvents(parts.service, parts.database);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    this.tracer = parts.tracer ?? Tracer.none;
    this.handled = parts.metrics.counter('events_total', 'Events that were handled, by outcome', ['topic', 'outcome']);
    this.seconds = parts.metrics.seconds('event', 'Time that handling an event took', ['topic', 'outcome']);
    this.waited = parts.metrics.seconds('event_wait', 'Time from publishing an event to its first try', ['topic']);
    this.laidAside = parts.metrics.counter('events_laid_aside_total', 'Events that were given up with their key', [
      'topic',
    ]);
    this.waker = new Waker({ ...parts.connection, lane: 'courier' }, INCOMING_CHANNEL, () => this.consume());
  }

  start(): void {
    this.waker.start();
  }

  /** Handles what it has taken and no more. */
  stop(): Promise<void> {
    this.stopping = true;
    return this.waker.stop();
  }

  /** Handles whatever waits and may be handled now; answers how many events that were. One round follows the other. */
  drain(): Promise<number> {
    const next = this.draining.then(() => this.handleWaiting());
    this.draining = next.catch(() => undefined);
    return next;
  }

  private async handleWaiting(): Promise<number> {
    let total = 0;
    for (;;) {
      if (!(await this.incoming.isOurs()) || this.stopping) return total;
      const batch = await this.incoming.next();
      if (batch.length === 0) return total;
      total += batch.length;
      await this.handleInOrder(batch);
      // What they left to do begins now: more events may come for as long as anybody works.
      this.parts.afterwards?.();
    }
  }

  /** Gives laid-aside events of a key back to be handled, oldest first, and lets the key go on. */
  async replay(groupId: string, key: string): Promise<void> {
    const { service, database } = this.parts;
    await database.ungrouped((tx) => replayKey(tx, service, { groupId, key }));
    this.waker.wake();
  }

  /** Forgets handled events that no delivery can repeat any more. */
  async trim(): Promise<void> {
    const { service, database } = this.parts;
    await database.ungrouped((tx) =>
      tx.query(`delete from ${service}.inbox where handled_at < now() - interval '${MEMORY}'`),
    );
  }

  private async consume(): Promise<void> {
    try {
      await this.drain();
    } catch (error) {
      this.parts.logger.warn({ error }, 'consumer is waiting for the database');
    }
  }

  /** A key whose event was postponed waits as a whole: what came later stays where it is. */
  private async handleInOrder(batch: readonly Incoming[]): Promise<void> {
    const postponed = new Set<string>();
    for (const event of batch) {
      const key = `${event.group_id}:${event.event_key}`;
      if (!postponed.has(key) && !(await this.handle(event))) postponed.add(key);
    }
  }

  /** Under what led to the event, in whichever process and however long ago that was. Whether it is done with. */
  private handle(event: Incoming): Promise<boolean> {
    const context = { requestId: event.cause, groupId: event.group_id, trace: readTraceparent(event.trace) };
    return workContext.run(context, () => (event.deaths > MOST_DEATHS ? this.bury(event) : this.tryOnce(event)));
  }

  private async tryOnce(event: Incoming): Promise<boolean> {
    const { topic, attempts, age } = event;
    if (attempts === 0) this.waited.observe({ topic }, age);
    const attributes = { 'acervo.attempts': attempts + 1 };
    const stop = this.seconds.startTimer({ topic });
    try {
      await this.tracer.run({ name: `handle ${topic}`, kind: 'consumer', attributes }, () => this.apply(event));
      stop({ outcome: 'handled' });
      this.handled.inc({ topic, outcome: 'handled' });
      return true;
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      stop({ outcome: 'failed' });
      this.handled.inc({ topic, outcome: 'failed' });
      this.parts.logger.error({ error, topic, event: event.event_id, attempts: attempts + 1 }, 'event failed');
      await this.postpone(event, error);
      return false;
    }
  }

  /** Lays aside what every process ended with that handled it. */
  private async bury(event: Incoming): Promise<boolean> {
    const { topic, event_id, group_id, event_key, deaths } = event;
    this.parts.logger.error(
      { topic, event: event_id, group: group_id, key: event_key, deaths },
      'an event was given up: each time it was handled the program ended; replay its key when that is repaired',
    );
    await this.layAside(event, event.attempts, WORKER_DIED);
    return false;
  }

  private async apply(event: Incoming): Promise<void> {
    const { service, database, subscriptions } = this.parts;
    const subscription = subscriptions.get(event.topic);
    if (subscription === undefined) throw new Error(`${service} has no handler for ${event.topic}.`);
    const scope = new WorkScope(event.group_id, service, event.event_id);
    await database.write(scope, async (tx) => {
      const isFirst = await this.isFirstDelivery(tx, event);
      if (isFirst) {
        await subscription.handle(scope, tx, revive(subscription.event.payload, event.payload));
        this.failpoints.hit('consumer.before-inbox');
      }
      await tx.prepared(
        `with gone as (delete from ${service}.incoming where id = $1)
         insert into ${service}.inbox (event_id) select $2::uuid where $3::boolean`,
        [event.id, event.event_id, isFirst],
      );
    });
  }

  private async isFirstDelivery(tx: Transaction, { event_id }: Incoming): Promise<boolean> {
    const { service } = this.parts;
    return (await tx.prepared(`select from ${service}.inbox where event_id = $1`, [event_id])).length === 0;
  }

  private async postpone(event: Incoming, error: unknown): Promise<void> {
    const { service, database, attempts = 8, backoffMs = 200 } = this.parts;
    const tried = event.attempts + 1;
    if (tried >= attempts) return this.layAside(event, tried, error instanceof Error ? error.name : 'Error');
    const wait = backoffMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
    await database.ungrouped((tx) =>
      tx.query(
        `update ${service}.incoming set attempts = $2, not_before = now() + $3 * interval '1 ms' where id = $1`,
        [event.id, tried, wait],
      ),
    );
  }

  /** Into the table, from which it can be replayed, and by the outbox to the topic, where others learn of it. */
  private async layAside(event: Incoming, tried: number, reason: string): Promise<void> {
    const { service, database } = this.parts;
    const { group_id, event_key, topic } = event;
    await database.ungrouped(async (tx) => {
      await tx.query(
        `with dead as (delete from ${service}.incoming where id = $1 returning event_id, group_id, topic, event_key, payload, cause, occurred_at, trace),
         told as (insert into ${service}.outbox (lane, group_id, topic, event_key, payload, cause, trace)
           select $4, group_id, $5, event_key, jsonb_build_object('topic', topic, 'event_id', event_id, 'attempts', $2::int,
             'reason', $3::text, 'occurred_at', occurred_at, 'payload', payload), cause, trace from dead)
         insert into ${service}.dead_letter (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, attempts, reason)
         select event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, $2::int, $3::text from dead`,
        [event.id, tried, reason, laneOf(group_id, event_key), deadLetterTopic(service)],
      );
      await tx.query(`insert into ${service}.parked_key (group_id, event_key) values ($1, $2) on conflict do nothing`, [
        group_id,
        event_key,
      ]);
    });
    this.laidAside.inc({ topic });
  }
}
