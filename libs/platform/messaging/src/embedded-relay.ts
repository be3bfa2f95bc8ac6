import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { allEvents, type ServiceName, services } from '@acervo/contracts';
import { type DatabaseConnection, openPool } from '@acervo/platform-database';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { Failpoints } from './failpoints';
import { OUTBOX_CHANNEL } from './outbox';
import { EventTransport } from './transport';
import { unpublished, WaitingFigures } from './waiting-figures';
import { Waker } from './waker';

export const INCOMING_CHANNEL = 'acervo_incoming';
const BATCH = 200;
const LEASE = '10 seconds';

const topicsFor = (subscriber: string): string[] =>
  allEvents().flatMap(({ topic, subscribers }) => (subscribers.some((name) => name === subscriber) ? [topic] : []));

const COLUMNS = 'event_id, group_id, topic, event_key, payload, cause, occurred_at, trace';

/** One statement: rows leave the outbox and enter every subscriber's incoming table, or nothing happens. */
const moveSql = (producer: ServiceName): string => {
  const deliveries = services.flatMap((subscriber, index) => {
    const topics = topicsFor(subscriber);
    if (topics.length === 0) return [];
    const list = topics.map((topic) => `'${topic}'`).join(', ');
    return [
      `to_${index} as (insert into ${subscriber}.incoming (${COLUMNS}) select ${COLUMNS} from moved where topic in (${list}) order by id)`,
    ];
  });
  return `
with mine as (
    update ${producer}.outbox_lane set holder = $1, held_until = now() + interval '${LEASE}'
    where holder = $1 or held_until < now() returning lane),
  moved as (
    delete from ${producer}.outbox where id in (
      select id from ${producer}.outbox where lane in (select lane from mine) order by id limit ${BATCH}) returning *),
  ${deliveries.join(',\n  ')}
select count(*)::int as moved, pg_notify('${INCOMING_CHANNEL}', '') from moved`;
};

/** Whose events wait: one look at all outboxes, because each statement waits for its turn at the one session. */
const WAITING_SQL = services
  .map((name) => `select '${name}' as service where exists (select from ${name}.outbox)`)
  .join(' union all ');

export interface EmbeddedRelayParts {
  readonly connection: DatabaseConnection;
  readonly logger: Logger;
  /** Where it is told what waits to be published; nowhere when absent. */
  readonly metrics?: Metrics;
  readonly failpoints?: Failpoints;
}

/**
 * Brings events from the outbox of each service to those who listen, within the one embedded database. Lanes are held
 * by lease, so several relays share the work and each lane keeps its order.
 */
export class EmbeddedRelay extends EventTransport {
  private readonly holder = randomUUID();
  private readonly pool: Pool;
  private readonly waker: Waker;
  private readonly failpoints: Failpoints;
  private readonly figures: WaitingFigures | undefined;

  constructor(private readonly parts: EmbeddedRelayParts) {
    super();
    const connection: DatabaseConnection = { ...parts.connection, lane: 'courier', max: 1 };
    this.pool = openPool(connection);
    this.failpoints = parts.failpoints ?? Failpoints.none;
    const sources = services.map((service) => unpublished(service, this.pool));
    this.figures = parts.metrics === undefined ? undefined : new WaitingFigures(parts.metrics, sources);
    this.waker = new Waker(connection, OUTBOX_CHANNEL, () => this.relay());
  }

  start(): Promise<void> {
    this.waker.start();
    this.figures?.start();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.figures?.stop();
    await this.waker.stop();
    await this.pool.end();
  }

  /** Moves whatever waits now; answers how much that was. */
  async moveAll(): Promise<number> {
    let total = 0;
    for (;;) {
      const { rows } = await this.pool.query<{ service: ServiceName }>(WAITING_SQL);
      let moved = 0;
      for (const { service } of rows) moved += await this.moveFrom(service);
      total += moved;
      // What another relay holds is left to it.
      if (moved === 0) return total;
    }
  }

  private async relay(): Promise<void> {
    try {
      await this.moveAll();
    } catch (error) {
      this.parts.logger.warn({ error }, 'relay is waiting for the database');
    }
  }

  /** One batch of a service's events. */
  private async moveFrom(producer: ServiceName): Promise<number> {
    this.failpoints.hit('relay.before-move');
    const { rows } = await this.pool.query<{ moved: number }>(moveSql(producer), [this.holder]);
    return rows[0]?.moved ?? 0;
  }
}
