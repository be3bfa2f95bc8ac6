import { randomUUID } from 'node:crypto';
import { type AuditRecord, auditRecorded, documentIndexed, type DocumentIndexed, services } from '@acervo/contracts';
import { appRole, type Database } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import type { TestDatabase } from '@acervo/platform-testing';
import {
  Consumer,
  EventRetries,
  Failpoints,
  Notifications,
  Outbox,
  type Subscription,
  unhandled,
  WaitingFigures,
} from '../src';
import type { OpenWay, Way } from './way';
import { figures, indexed, openMessaging, silent } from './support';

/** Events that wait, are retried, dead-lettered and replayed, with any transport. */
export const describeWaiting = (name: string, open: OpenWay): void =>
  describe(`events that wait, by ${name},`, () => {
    let server: TestDatabase;
    let producer: Database;
    let way: Way;
    let consumer: Consumer;
    let waiting: WaitingFigures;
    const metrics = new Metrics('ingestion');
    const outbox = new Outbox('retrieval');
    const group = { groupId: randomUUID() };
    let handled: string[] = [];
    let broken = new Set<string>();

    const publish = (documentId: string, revision: number): Promise<void> =>
      producer.write(group, (tx) => outbox.append(tx, documentIndexed, indexed(documentId, revision)));
    const moveAll = (): Promise<void> => way.deliver();
    const subscription: Subscription = {
      event: documentIndexed,
      handle: (_scope, _tx, payload) => {
        const { documentId, revision } = payload as DocumentIndexed;
        if (broken.has(documentId)) return Promise.reject(new RangeError('broken'));
        handled.push(`${documentId}:${revision}`);
        return Promise.resolve();
      },
    };
    const rows = (sql: string): Promise<Record<string, unknown>[]> => server.asOwner('ingestion', sql);
    /** Ends the wait of postponed events. */
    const skipTheWait = (): Promise<unknown> => rows(`update ingestion.incoming set not_before = now()`);

    beforeAll(async () => {
      server = await openMessaging();
      producer = server.database('retrieval');
      way = await open(server, silent);
      consumer = new Consumer(
        'ingestion',
        server.database('ingestion'),
        new Notifications(server.connection(appRole('ingestion'))),
        new Telemetry(silent, new Metrics('test')),
        Failpoints.none,
        new EventRetries(3, 10_000),
      ).subscribe(new Map([[documentIndexed.topic, subscription]]));
      waiting = new WaitingFigures(metrics, [unhandled('ingestion', server.database('ingestion'))]);
    });
    afterAll(async () => {
      await way.close();
      await server.close();
    });
    beforeEach(() => {
      handled = [];
      broken = new Set();
    });

    it('events keep the order of their key under two relays', async () => {
      const documents = Array.from({ length: 6 }, () => randomUUID());
      let going = true;
      const moving = way.moves.map(async (move) => {
        while (going) await move();
      });
      try {
        await Promise.all(
          documents.map(async (document) => {
            for (let revision = 1; revision <= 15; revision += 1) await publish(document, revision);
          }),
        );
      } finally {
        going = false;
      }
      await Promise.all(moving);
      await moveAll();
      await consumer.drain();
      for (const document of documents)
        expect(handled.filter((entry) => entry.startsWith(document))).toEqual(
          Array.from({ length: 15 }, (_, index) => `${document}:${index + 1}`),
        );
    });

    it('events are counted where they wait to be handled', async () => {
      await publish(randomUUID(), 1);
      await publish(randomUUID(), 1);
      await moveAll();
      await waiting.measure();
      expect(await figures(metrics, 'events_waiting')).toEqual({ incoming: 2, parked: 0, dead_letter: 0 });
      expect((await figures(metrics, 'events_oldest_seconds'))['incoming']).toBeGreaterThan(0);
      await consumer.drain();
      await waiting.measure();
      expect(await figures(metrics, 'events_waiting')).toMatchObject({ incoming: 0 });
    });

    it('a failing event delays its key alone, twice as long each time', async () => {
      const [bad, good] = [randomUUID(), randomUUID()];
      broken.add(bad);
      await publish(bad, 1);
      await publish(bad, 2);
      await publish(good, 1);
      await moveAll();
      const waits: number[] = [];
      for (let turn = 1; turn <= 2; turn += 1) {
        await consumer.drain();
        const waiting = await rows(
          `select attempts, extract(epoch from not_before - now())::float8 as wait from ingestion.incoming
         where not_before > now() or attempts = 0 order by id`,
        );
        expect(waiting.map(({ attempts }) => attempts)).toEqual([turn, 0]);
        waits.push(Number(waiting[0]?.['wait']));
        expect(await consumer.drain()).toBe(0);
        await skipTheWait();
      }
      expect(handled).toEqual([`${good}:1`]);
      // 10 s and 20 s, half of it jitter; some time passed until they were read.
      expect(waits[0]).toBeGreaterThan(3);
      expect(waits[0]).toBeLessThanOrEqual(10);
      expect(waits[1]).toBeGreaterThan(8);
      expect(waits[1]).toBeLessThanOrEqual(20);
      broken.clear();
      await consumer.drain();
      expect(handled).toEqual([`${good}:1`, `${bad}:1`, `${bad}:2`]);
    });

    it('dead letters contain their reason, and replay in their order', async () => {
      const document = randomUUID();
      broken.add(document);
      for (let revision = 1; revision <= 3; revision += 1) await publish(document, revision);
      await moveAll();
      for (let turn = 0; turn < 3; turn += 1) {
        await consumer.drain();
        await skipTheWait();
      }
      expect(await rows('select event_key, attempts, reason from ingestion.dead_letter')).toEqual([
        { event_key: document, attempts: 3, reason: 'RangeError' },
      ]);
      expect(await consumer.drain()).toBe(0);
      await waiting.measure();
      expect(await figures(metrics, 'events_waiting')).toEqual({ incoming: 0, parked: 2, dead_letter: 1 });
      const { incoming, parked, dead_letter: dead } = await figures(metrics, 'events_oldest_seconds');
      expect(incoming).toBe(0);
      expect(Math.min(parked ?? 0, dead ?? 0)).toBeGreaterThan(0);
      broken.clear();
      await consumer.replay(group.groupId, document);
      await consumer.drain();
      expect(handled).toEqual([1, 2, 3].map((revision) => `${document}:${revision}`));
      expect(await rows('select from ingestion.dead_letter union all select from ingestion.parked_key')).toEqual([]);
      await waiting.measure();
      expect(await figures(metrics, 'events_waiting')).toEqual({ incoming: 0, parked: 0, dead_letter: 0 });
    });

    it('events wait in the incoming table of a stopped service', async () => {
      const record = (call: string): AuditRecord => ({
        recordId: randomUUID(),
        call,
        outcome: 'SUCCEEDED',
        error: null,
        actor: 'somebody',
        cause: 'test',
        caller: 'gateway',
        at: new Date().toISOString(),
      });
      for (const service of services)
        await server
          .database(service)
          .write(group, (tx) => new Outbox(service).append(tx, auditRecorded, record(`${service}.write`)));
      await moveAll();
      await consumer.drain();
      expect(handled).toEqual([]);
      const waiting = await server.asOwner(
        'operations',
        `select topic, event_key, group_id, payload->>'call' as call from operations.incoming order by payload->>'call'`,
      );
      expect(waiting).toEqual(
        services
          .map((service) => `${service}.write`)
          .toSorted()
          .map((call) => ({ topic: 'audit.recorded.v1', event_key: 'audit', group_id: group.groupId, call })),
      );
      for (const service of services)
        expect(await server.asOwner(service, `select from ${service}.outbox`)).toEqual([]);
    });
  });
