import { randomUUID } from 'node:crypto';
import { documentIndexed, type DocumentIndexed, documentIndexingFailed, encode } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { silent, type TestDatabase } from '@acervo/platform-testing';
import { Consumer, Notifications, On, replayDead, replayedMessage, subscriptionsOf } from '../src';
import { indexed, openMessaging, OtherEvents } from './support';

describe('events that were dead-lettered', () => {
  let server: TestDatabase;
  let database: Database;
  const handled: string[] = [];

  class Handlers {
    @On(documentIndexed)
    take(_scope: object, _tx: object, { documentId, revision }: DocumentIndexed): Promise<void> {
      handled.push(`${documentId}:${revision}`);
      return Promise.resolve();
    }
    @On(documentIndexingFailed)
    failed(): Promise<void> {
      return Promise.resolve();
    }
  }

  beforeAll(async () => {
    server = await openMessaging();
    database = server.database('ingestion');
  });
  afterAll(() => server.close());

  const place = async (table: 'dead_letter' | 'incoming', group: string, document: string, revision: number) => {
    const more = table === 'dead_letter' ? ', attempts, reason' : '';
    await server.asOwner(
      'ingestion',
      `insert into ingestion.${table} (group_id, topic, event_key, payload, cause, trace${more})
       values ($1, $2, $3, $4, 'test', 'of ' || $3${more === '' ? '' : `, 8, 'Error'`})`,
      [
        group,
        documentIndexed.topic,
        document,
        JSON.stringify(encode(documentIndexed.payload, indexed(document, revision))),
      ],
    );
    await server.asOwner('ingestion', `insert into ingestion.parked_key values ($1, $2) on conflict do nothing`, [
      group,
      document,
    ]);
  };
  const left = async (): Promise<number[]> => {
    const counts = await server.asOwner(
      'ingestion',
      `select (select count(*)::int from ingestion.dead_letter) as dead, (select count(*)::int from ingestion.parked_key) as parked,
         (select count(*)::int from ingestion.incoming) as incoming`,
    );
    return Object.values(counts[0] ?? {}) as number[];
  };

  it('replayed events precede later ones of their key in every group', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const [mine, yours] = [randomUUID(), randomUUID()];
    await place('incoming', one, mine, 3);
    await place('dead_letter', one, mine, 1);
    await place('dead_letter', one, mine, 2);
    await place('dead_letter', two, yours, 1);
    const replayed = await replayDead(database, 'ingestion');
    expect(replayed).toEqual({ keys: 2, events: 3 });
    expect(replayedMessage('ingestion', replayed)).toBe(
      'ingestion: 3 events of 2 keys that were dead-lettered are handled again.',
    );
    expect(await left()).toEqual([0, 0, 4]);
    const astray = `select from ingestion.incoming where cause <> 'test' or trace is distinct from 'of ' || event_key`;
    expect(await server.asOwner('ingestion', astray)).toEqual([]);
    const telemetry = new Telemetry(silent, new Metrics('dead-letters'));
    const consumer = new Consumer(
      'ingestion',
      database,
      new Notifications(server.connection('ingestion_app')),
      telemetry,
    );
    consumer.subscribe(subscriptionsOf('ingestion', [new Handlers(), new OtherEvents()]));
    await consumer.drain();
    expect(handled.filter((each) => each.startsWith(mine))).toEqual([`${mine}:1`, `${mine}:2`, `${mine}:3`]);
    expect(handled).toContain(`${yours}:1`);
    expect(await left()).toEqual([0, 0, 0]);
  });

  it('a replay without dead letters changes nothing', async () => {
    await place('incoming', randomUUID(), randomUUID(), 1);
    const before = await server.asOwner('ingestion', 'select * from ingestion.incoming');
    expect(await replayDead(database, 'ingestion')).toEqual({ keys: 0, events: 0 });
    expect(await server.asOwner('ingestion', 'select * from ingestion.incoming')).toEqual(before);
  });
});
