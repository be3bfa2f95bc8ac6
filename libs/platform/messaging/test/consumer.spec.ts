import { randomUUID } from 'node:crypto';
import { documentIndexed, encode } from '@acervo/contracts';
import { appRole } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import type { TestDatabase } from '@acervo/platform-testing';
import { Consumer, EventRetries, Failpoints, Notifications } from '../src';
import { OUTBOX_CHANNEL } from '../src/outbox';
import { indexed, openMessaging, silent, until } from './support';

describe('a consumer with a backlog', () => {
  /** Several batches. */
  const COUNT = 120;
  let server: TestDatabase;
  let handled: number;

  beforeAll(async () => {
    server = await openMessaging();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    handled = 0;
    const payload = JSON.stringify(encode(documentIndexed.payload, indexed(randomUUID(), 1)));
    await server.asOwner('ingestion', 'truncate ingestion.incoming');
    await server.asOwner('ingestion', `update ingestion.consumer_lease set held_until = '-infinity', taken = '{}'`);
    await server.asOwner(
      'ingestion',
      `insert into ingestion.incoming (group_id, topic, event_key, payload, cause)
       select $1, $2, 'D' || n, $3, 'test' from generate_series(1, ${COUNT}) n`,
      [randomUUID(), documentIndexed.topic, payload],
    );
  });

  const opened: Consumer[] = [];
  /** A consumer that outlives a failed test would keep the timers of later suites of this worker busy. */
  afterEach(() => Promise.all(opened.splice(0).map((consumer) => consumer.stop())));

  const consumerOf = (handle: () => Promise<void>, retries = new EventRetries()): Consumer => {
    const consumer = new Consumer(
      'ingestion',
      server.database('ingestion'),
      new Notifications(server.connection(appRole('ingestion'))),
      new Telemetry(silent, new Metrics('test')),
      Failpoints.none,
      retries,
    ).subscribe(new Map([[documentIndexed.topic, { event: documentIndexed, handle }]]));
    opened.push(consumer);
    return consumer;
  };

  const leases = (): Promise<object[]> =>
    server.asOwner('ingestion', 'select taken, held_until < now() as free from ingestion.consumer_lease');

  it('a stopping consumer ends after the event in progress', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const consumer = consumerOf(async () => {
      handled += 1;
      await gate;
    });
    consumer.start();
    await until('it handles the first', () => handled === 1);
    const stopped = consumer.stop();
    release();
    await stopped;
    expect(handled).toBe(1);
    const left = await server.asOwner('ingestion', 'select from ingestion.incoming');
    expect(left).toHaveLength(COUNT - 1);
    expect(await leases()).toEqual([{ taken: [], free: true }]);
  });

  it('a long handler delays no stop, and no death is counted', async () => {
    const gates: (() => void)[] = [];
    for (let stops = 1; stops <= 2; stops += 1) {
      const begun = handled;
      const consumer = consumerOf(() => {
        handled += 1;
        return new Promise<void>((_resolve, reject) => gates.push(() => reject(new Error('the process ended'))));
      });
      consumer.start();
      await until('it handles the first', () => handled > begun);
      // The handler does not end before the stop does.
      await consumer.stop();
      expect(gates).toHaveLength(1);
      gates.pop()?.();
      expect(await leases()).toEqual([{ taken: [], free: true }]);
    }
    expect(await server.asOwner('ingestion', 'select max(deaths) as deaths from ingestion.incoming')).toEqual([
      { deaths: 0 },
    ]);
    await server.asOwner('ingestion', `update ingestion.incoming set not_before = now()`);
    const last = consumerOf(() => {
      handled += 1;
      return Promise.resolve();
    });
    const before = handled;
    last.start();
    await until('all are handled', () => handled - before === COUNT);
  });

  it('a dead letter wakes the relay that publishes it', async () => {
    const notifications = new Notifications(server.connection(appRole('ingestion')));
    const woken: string[] = [];
    let hears = false;
    const off = notifications.on(
      OUTBOX_CHANNEL,
      (service) => void woken.push(service),
      () => (hears = true),
    );
    await until('the channel is heard', () => hears);
    await consumerOf(() => Promise.reject(new RangeError('broken')), new EventRetries(1)).drain();
    await until('the relay is woken', () => woken.includes('ingestion'));
    await off();
  });

  it('a consumer continues while its listeners are busy', async () => {
    let reported = 0;
    const consumer = consumerOf(() => {
      handled += 1;
      return Promise.resolve();
    });
    consumer.onHandled(() => {
      reported += 1;
    });
    consumer.start();
    await until('all are handled', () => handled === COUNT);
    await until('its listeners are notified again', () => reported > 1);
  });
});
