import { randomUUID } from 'node:crypto';
import { documentIndexed } from '@acervo/contracts';
import { RELAY_ROLE } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import type { TestDatabase } from '@acervo/platform-testing';
import { EmbeddedRelay, MOST_COUNTED, Outbox, unhandled, type WaitingSource, WaitingFigures } from '../src';
import { figures, indexed, openMessaging, silent, until } from './support';

describe('waiting figures', () => {
  let server: TestDatabase;

  beforeAll(async () => {
    server = await openMessaging();
  });
  afterAll(() => server.close());

  it('waiting figures count unpublished events of every service', async () => {
    const metrics = new Metrics('standalone');
    const outbox = new Outbox('retrieval');
    await server
      .database('retrieval')
      .write({ groupId: randomUUID() }, (tx) => outbox.append(tx, documentIndexed, indexed(randomUUID(), 1)));
    // Another relay leases every partition.
    await server.asOwner(
      'retrieval',
      `update retrieval.outbox_lane set holder = uuidv7(), held_until = now() + interval '1 hour'`,
    );
    const relay = new EmbeddedRelay(server.connection(RELAY_ROLE), silent, metrics);
    await relay.start();
    const reported = async (): Promise<string> => metrics.registry.getSingleMetricAsString('acervo_events_waiting');
    await until('it is counted', async () => /service="retrieval",where="outbox"\} 1/.test(await reported()));
    expect(await reported()).toMatch(/service="ingestion",where="outbox"\} 0/);
    await relay.stop();
  });

  it('the count of a long queue stops at its limit', async () => {
    await server.asOwner(
      'ingestion',
      `insert into ingestion.incoming (group_id, topic, event_key, payload, cause, occurred_at)
       select uuidv7(), 'document.indexed.v1', 'k', '{}', 'test', now() - interval '1 hour'
       from generate_series(1, ${MOST_COUNTED + 5})`,
    );
    const metrics = new Metrics('ingestion');
    await new WaitingFigures(metrics, [unhandled('ingestion', server.database('ingestion'))]).measure();
    expect(await figures(metrics, 'events_waiting')).toEqual({ incoming: MOST_COUNTED, parked: 0, dead_letter: 0 });
    expect((await figures(metrics, 'events_oldest_seconds'))['incoming']).toBeGreaterThanOrEqual(3_600);
  });

  it('an unavailable source yields no figure, not a stale one', async () => {
    let isThere = true;
    const source: WaitingSource = {
      ...{ service: 'ingestion', places: ['outbox'] },
      read: () =>
        isThere ? Promise.resolve([{ place: 'outbox', count: 3, seconds: 1 }]) : Promise.reject(new Error('away')),
    };
    const metrics = new Metrics('ingestion');
    const waiting = new WaitingFigures(metrics, [source]);
    await waiting.measure();
    expect(await figures(metrics, 'events_waiting')).toEqual({ outbox: 3 });
    isThere = false;
    await waiting.measure();
    expect(await figures(metrics, 'events_waiting')).toEqual({});
    expect(await figures(metrics, 'events_oldest_seconds')).toEqual({});
  });
});
