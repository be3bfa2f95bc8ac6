import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { receivedBy, type ServiceName, services } from '@acervo/contracts';
import { type DatabaseConnection, openPool } from '@acervo/platform-database';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { Failpoints } from './failpoints';
import { OUTBOX_CHANNEL } from './outbox';
import { EventTransport } from './transport';
import { unpublished, WaitingFigures } from './waiting-figures';
import { type Left, NotificationListener } from './notification-listener';
import { Notifications } from './notifications';

/** Notified with the names of the services that events came for, separated by commas. */
export const INCOMING_CHANNEL = 'acervo_incoming';

/** Whether a notification of that channel is for a service. Programs of earlier releases name none. */
export const isFor =
  (service: ServiceName) =>
  (payload: string): boolean =>
    payload === '' || payload.split(',').includes(service);
const BATCH = 200;
const LEASE = '10 seconds';
/** A lease that lasts longer is not renewed: the rows of 32 partitions are not written with each batch. */
const RENEWAL = '5 seconds';

const COLUMNS = 'event_id, group_id, topic, event_key, payload, cause, occurred_at, trace';

/** One statement: rows leave the outbox and enter the `incoming` table of every subscriber, or nothing happens. */
const moveSql = (producer: ServiceName): string => {
  const receivers = services.flatMap((subscriber) => {
    const topics = receivedBy(subscriber).map(({ topic }) => topic);
    const isWanted = `topic in (${topics.map((topic) => `'${topic}'`).join(', ')})`;
    return topics.length === 0 ? [] : [{ subscriber, isWanted }];
  });
  const deliveries = receivers.map(
    ({ subscriber, isWanted }, index) =>
      `to_${index} as (insert into ${subscriber}.incoming (${COLUMNS}) select ${COLUMNS} from moved where ${isWanted} order by id)`,
  );
  const heard = receivers.map(({ subscriber, isWanted }) => `case when bool_or(${isWanted}) then '${subscriber}' end`);
  return `
with renewed as (
    update ${producer}.outbox_lane set holder = $1, held_until = now() + interval '${LEASE}'
    where held_until < now() + interval '${RENEWAL}' and (holder = $1 or held_until < now()) returning lane),
  mine as (
    select lane from ${producer}.outbox_lane where holder = $1 and held_until >= now() + interval '${RENEWAL}'
    union all select lane from renewed),
  moved as (
    delete from ${producer}.outbox where id in (
      select id from ${producer}.outbox where lane in (select lane from mine) order by id limit ${BATCH}) returning *),
  ${deliveries.join(',\n  ')}
select count(*)::int as moved,
  case when count(*) > 0 then pg_notify('${INCOMING_CHANNEL}', concat_ws(',', ${heard.join(', ')})) end from moved`;
};

/**
 * Services with events in their outbox. One statement reads all outboxes, because each statement waits for the one
 * session.
 */
const WAITING_SQL = services
  .map((name) => `select '${name}' as service where exists (select from ${name}.outbox)`)
  .join(' union all ');

/**
 * Moves events from the outbox of each service to its subscribers, within the one embedded database. Partitions are
 * leased: several relays share the work, and each partition keeps its order.
 */
export class EmbeddedRelay extends EventTransport {
  private readonly holder = randomUUID();
  private readonly pool: Pool;
  private readonly listener: NotificationListener;
  private readonly figures: WaitingFigures | undefined;

  /** @param metrics publishes how many events wait in the outboxes; not published when absent */
  constructor(
    address: DatabaseConnection,
    private readonly logger: Logger,
    metrics?: Metrics,
    private readonly failpoints = Failpoints.none,
  ) {
    super();
    const connection: DatabaseConnection = { ...address, priority: 'courier', max: 1 };
    this.pool = openPool(connection);
    const sources = services.map((service) => unpublished(service, this.pool));
    this.figures = metrics === undefined ? undefined : new WaitingFigures(metrics, sources);
    this.listener = new NotificationListener(new Notifications(connection), OUTBOX_CHANNEL, () => this.relay());
  }

  start(): Promise<void> {
    this.listener.start();
    this.figures?.start();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.figures?.stop();
    await this.listener.stop();
    await this.pool.end();
  }

  /** Moves all events that wait now; answers how many. */
  async moveAll(): Promise<number> {
    return (await this.moveWaiting()).moved;
  }

  /** Later events notify again; the remaining partitions are leased to another relay. */
  private async moveWaiting(): Promise<{ readonly moved: number; readonly left: Left }> {
    let moved = 0;
    for (;;) {
      const { rows } = await this.pool.query<{ service: ServiceName }>(WAITING_SQL);
      const batches: number[] = [];
      for (const { service } of rows) batches.push(await this.moveFrom(service));
      moved += batches.reduce((sum, each) => sum + each, 0);
      if (!batches.includes(BATCH)) return { moved, left: batches.includes(0) ? 'something' : 'nothing' };
    }
  }

  private async relay(): Promise<Left> {
    try {
      return (await this.moveWaiting()).left;
    } catch (error) {
      this.logger.warn({ error }, 'relay is waiting for the database');
      return 'something';
    }
  }

  /** Moves one batch of a service's events. */
  private async moveFrom(producer: ServiceName): Promise<number> {
    this.failpoints.hit('relay.before-move');
    const { rows } = await this.pool.query<{ moved: number }>(moveSql(producer), [this.holder]);
    return rows[0]?.moved ?? 0;
  }
}
