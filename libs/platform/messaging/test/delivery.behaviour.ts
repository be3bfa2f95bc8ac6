import { randomUUID } from 'node:crypto';
import { documentIndexed, type DocumentIndexed, documentIndexingFailed, services } from '@acervo/contracts';
import { appRole, type Database } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import {
  Consumer,
  EventRetries,
  Failpoints,
  messagingMigrations,
  Notifications,
  Outbox,
  type Subscription,
} from '../src';
import type { OpenWay, Way } from './way';

/** Events go from retrieval to ingestion here, by any transport. */
export const describeDelivery = (name: string, open: OpenWay): void =>
  describe(`an event by ${name}`, () => {
    let server: TestDatabase;
    let producer: Database;
    let subscriber: Database;
    let way: Way;
    const outbox = new Outbox('retrieval');
    const group = { groupId: randomUUID() };
    /** Handled events, in order: document and revision. */
    let handled: string[] = [];
    /** How often handling a document fails from now on. */
    let poisoned = new Map<string, number>();

    const fact = (documentId: string, revision: number): DocumentIndexed => ({
      documentId,
      revision,
      generation: 1,
      chunkCount: 1,
      hasVectors: true,
    });
    const publish = (documentId: string, revision: number): Promise<void> =>
      producer.write(group, (tx) => outbox.append(tx, documentIndexed, fact(documentId, revision)));
    const relay = (): Promise<void> => way.deliver();
    const subscription: Subscription = {
      event: documentIndexed,
      handle: async (_scope, tx, payload) => {
        const { documentId, revision } = payload as DocumentIndexed;
        const left = poisoned.get(documentId) ?? 0;
        poisoned.set(documentId, left - 1);
        if (left > 0) throw new Error('poison');
        await tx.query('select 1');
        handled.push(`${documentId}:${revision}`);
      },
    };
    const consumer = (attempts = 3): Consumer =>
      new Consumer(
        'ingestion',
        subscriber,
        new Notifications(server.connection(appRole('ingestion'))),
        new Telemetry(silent, new Metrics('test')),
        Failpoints.none,
        new EventRetries(attempts, 1),
      ).subscribe(new Map([[documentIndexed.topic, subscription]]));
    /** One consumer, as in one process; a second one would wait for its lease. */
    let only: Consumer;
    const drain = async (turns = 1): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) {
        await only.drain();
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    };
    const count = async (table: string): Promise<number> => {
      const [row] = await server.asOwner('ingestion', `select count(*)::int as n from ingestion.${table}`);
      return Number(row?.['n']);
    };

    beforeAll(async () => {
      server = await openTestDatabase(
        Object.fromEntries(services.map((service) => [service, messagingMigrations(service)])),
      );
      producer = server.database('retrieval');
      subscriber = server.database('ingestion');
      way = await open(server, silent);
      only = consumer();
    });
    afterAll(async () => {
      await way.close();
      await server.close();
    });
    beforeEach(() => {
      handled = [];
      poisoned = new Map();
    });

    it('an event is delivered after its commit, never after a rollback', async () => {
      const [retained, lost] = [randomUUID(), randomUUID()];
      await publish(retained, 1);
      const failing = producer.write(group, async (tx) => {
        await outbox.append(tx, documentIndexed, fact(lost, 1));
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      await relay();
      await drain();
      expect(handled).toEqual([`${retained}:1`]);
    });

    it('an event keeps the order of its key with two relays', async () => {
      const documents = [randomUUID(), randomUUID(), randomUUID()];
      for (let revision = 1; revision <= 20; revision += 1) {
        for (const document of documents) await publish(document, revision);
        if (revision % 7 === 0) await way.deliver();
      }
      await relay();
      await drain();
      for (const document of documents)
        expect(handled.filter((entry) => entry.startsWith(document))).toEqual(
          Array.from({ length: 20 }, (_, index) => `${document}:${index + 1}`),
        );
    });

    it('an event delivered repeatedly is handled once', async () => {
      const document = randomUUID();
      await publish(document, 1);
      await relay();
      await server.asOwner(
        'ingestion',
        `insert into ingestion.incoming (event_id, group_id, topic, event_key, payload, cause)
       select event_id, group_id, topic, event_key, payload, cause from ingestion.incoming, generate_series(1, 3)`,
      );
      await drain();
      expect(handled).toEqual([`${document}:1`]);
      expect(await count('incoming')).toBe(0);
    });

    it('an event that keeps failing parks its key and blocks no other', async () => {
      const [bad, good] = [randomUUID(), randomUUID()];
      poisoned.set(bad, Infinity);
      await publish(bad, 1);
      await publish(bad, 2);
      await publish(good, 1);
      await relay();
      await drain(6);
      expect(handled).toEqual([`${good}:1`]);
      expect([await count('dead_letter'), await count('parked_key'), await count('incoming')]).toEqual([1, 1, 1]);
      poisoned.clear();
      await publish(bad, 3);
      await relay();
      await drain();
      expect(handled).toEqual([`${good}:1`]);
      await only.replay(group.groupId, bad);
      await drain();
      expect(handled).toEqual([`${good}:1`, `${bad}:1`, `${bad}:2`, `${bad}:3`]);
      expect([await count('dead_letter'), await count('parked_key'), await count('incoming')]).toEqual([0, 0, 0]);
    });

    it('an event that fails temporarily is handled in its order', async () => {
      const document = randomUUID();
      poisoned.set(document, 1);
      await publish(document, 1);
      await publish(document, 2);
      await relay();
      await drain(3);
      expect(handled).toEqual([`${document}:1`, `${document}:2`]);
    });

    it('an event of another service cannot be published', async () => {
      const foreign = new Outbox('ingestion');
      const write = subscriber.write(group, (tx) =>
        foreign.append(tx, documentIndexingFailed, { ...fact(randomUUID(), 1), reason: 'x', isFinal: false }),
      );
      await expect(write).rejects.toThrow(/is an event of retrieval; ingestion cannot publish it/);
    });

    it('an event without a group is refused', async () => {
      await expect(
        producer.ungrouped((tx) => outbox.append(tx, documentIndexed, fact(randomUUID(), 1))),
      ).rejects.toThrow(/has no group/);
    });
  });
