import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Metrics } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { OLDEST, WAITING } from './messaging-metrics';

const EVERY_MS = 15_000;
/** Counting stops here: a longer queue is growing, and its age shows for how long. */
export const MOST_COUNTED = 10_000;

/** Where an event waits: to be published; to be handled; behind a dead letter of its key; as a dead letter. */
export type WaitingPlace = 'outbox' | 'incoming' | 'parked' | 'dead_letter';

/** The events that wait in one place. */
export interface Waiting {
  readonly place: WaitingPlace;
  /** At most `MOST_COUNTED`. */
  readonly count: number;
  /** Age of the oldest event; 0 where none waits. */
  readonly seconds: number;
}

/** A source of figures about some places of a service. */
export interface WaitingSource {
  readonly service: ServiceName;
  readonly places: readonly WaitingPlace[];
  read(): Promise<readonly Waiting[]>;
}

const summary = (place: WaitingPlace, rows: string): string => `
select '${place}' as place, count(*)::int as count,
  coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as seconds
from (${rows} limit ${MOST_COUNTED}) waiting`;

const outboxSql = (service: ServiceName): string =>
  summary('outbox', `select occurred_at as since from ${service}.outbox order by id`);

const OF_A_PARKED_KEY = 'p.group_id = i.group_id and p.event_key = i.event_key';

const arrivedSql = (service: ServiceName): string =>
  [
    summary(
      'incoming',
      `select occurred_at as since from ${service}.incoming i
       where not exists (select from ${service}.parked_key p where ${OF_A_PARKED_KEY}) order by id`,
    ),
    summary(
      'parked',
      `select occurred_at as since from ${service}.parked_key p join ${service}.incoming i on ${OF_A_PARKED_KEY}`,
    ),
    summary('dead_letter', `select died_at as since from ${service}.dead_letter order by id`),
  ].join('\nunion all');

/** Events that a service wrote and no relay has published. @param pool of the relay role: no other may read outboxes */
export const unpublished = (service: ServiceName, pool: Pool): WaitingSource => ({
  service,
  places: ['outbox'],
  read: async () => (await pool.query<Waiting>(outboxSql(service))).rows,
});

/** Events received for a service and not finished. */
export const unhandled = (service: ServiceName, database: Database): WaitingSource => ({
  service,
  places: ['incoming', 'parked', 'dead_letter'],
  read: () => database.ungrouped((tx) => tx.query<Waiting>(arrivedSql(service))),
});

/**
 * Publishes periodically how many events wait in each place, and for how long: with any transport, a backlog stands in
 * one of these places. A source that does not answer yields no figure; a stale one would pass for a fresh one.
 */
export class WaitingFigures {
  private readonly count;
  private readonly age;
  private readonly rounds = new Periodic(() => this.measure(), { firstMs: 0, everyMs: EVERY_MS });

  constructor(
    metrics: Metrics,
    private readonly sources: readonly WaitingSource[],
  ) {
    this.count = metrics.gauge(WAITING);
    this.age = metrics.gauge(OLDEST);
  }

  start(): void {
    this.rounds.start();
  }

  stop(): void {
    void this.rounds.stop();
  }

  async measure(): Promise<void> {
    await Promise.all(this.sources.map((source) => this.update(source)));
  }

  private async update(source: WaitingSource): Promise<void> {
    const { service, places } = source;
    try {
      for (const { place, count, seconds } of await source.read()) {
        this.count.set({ service, where: place }, count);
        this.age.set({ service, where: place }, seconds);
      }
    } catch {
      for (const place of places) [this.count, this.age].forEach((gauge) => gauge.remove({ service, where: place }));
    }
  }
}
