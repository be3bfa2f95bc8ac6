import { randomBytes, randomUUID } from 'node:crypto';
import { documentIndexed, type DocumentIndexed, services } from '@acervo/contracts';
import { appRole, type Database } from '@acervo/platform-database';
import { inTraceOf, Metrics, Telemetry, workContext } from '@acervo/platform-observability';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import {
  Consumer,
  EventRetries,
  Failpoints,
  messagingMigrations,
  Notifications,
  Outbox,
  type Subscription,
} from '../src';
import { indexed, silent, until } from './support';
import type { OpenWay, Way } from './way';

const newTraceId = (): string => randomBytes(16).toString('hex');

/** The trace of an event is delivered with it, by any transport. */
export const describeTraces = (name: string, open: OpenWay): void =>
  describe(`the trace of an event by ${name}`, () => {
    let server: TestDatabase;
    let producer: Database;
    let way: Way;
    let only: Consumer;
    const metrics = new Metrics('ingestion');
    const outbox = new Outbox('retrieval');
    const group = { groupId: randomUUID() };
    /** The traces under which documents were handled. */
    const handled = new Map<string, string | undefined>();
    let poisoned = '';

    const subscription: Subscription = {
      event: documentIndexed,
      handle: (_scope, _tx, payload) => {
        const { documentId } = payload as DocumentIndexed;
        if (documentId === poisoned) return Promise.reject(new Error('poison'));
        handled.set(documentId, workContext.get()?.trace?.traceId);
        return Promise.resolve();
      },
    };
    const publish = (documentId: string, traceId: string): Promise<void> =>
      inTraceOf({ trace: `00-${traceId}-${'1'.repeat(16)}-01` }, () =>
        producer.write(group, (tx) => outbox.append(tx, documentIndexed, indexed(documentId, 1))),
      );
    const handledSoon = (documentId: string): Promise<void> =>
      until(`${documentId} is handled`, async () => (await only.drain(), handled.has(documentId)));

    beforeAll(async () => {
      server = await openTestDatabase(
        Object.fromEntries(services.map((service) => [service, messagingMigrations(service)])),
      );
      producer = server.database('retrieval');
      way = await open(server, silent);
      only = new Consumer(
        'ingestion',
        server.database('ingestion'),
        new Notifications(server.connection(appRole('ingestion'))),
        new Telemetry(silent, metrics),
        Failpoints.none,
        new EventRetries(2, 1),
      ).subscribe(new Map([[documentIndexed.topic, subscription]]));
    });
    afterAll(async () => {
      await way.close();
      await server.close();
    });

    it('each event has the trace of its publishing transaction', async () => {
      const traces = new Map(Array.from({ length: 5 }, () => [randomUUID(), newTraceId()]));
      for (const [document, trace] of traces) await publish(document, trace);
      await way.deliver();
      for (const [document] of traces) await handledSoon(document);
      expect(new Map([...traces.keys()].map((document) => [document, handled.get(document)]))).toEqual(traces);
    });

    it('a dead letter keeps its trace, also when it is replayed', async () => {
      const [document, trace] = [randomUUID(), newTraceId()];
      poisoned = document;
      await publish(document, trace);
      await way.deliver();
      const dead = (): Promise<unknown[]> => server.asOwner('ingestion', 'select trace from ingestion.dead_letter');
      await until('it is dead-lettered', async () => (await only.drain(), (await dead()).length > 0));
      poisoned = '';
      await only.replay(group.groupId, document);
      await handledSoon(document);
      expect(handled.get(document)).toBe(trace);
    });

    it('metrics contain counts, ages and delays by topic, and no trace', async () => {
      const lines = (await metrics.registry.metrics()).split('\n');
      const figure = (name: string, ...labels: string[]): number => {
        const reported = [`topic="${documentIndexed.topic}"`, ...labels];
        const line = lines.find(
          (each) => each.startsWith(`${name}{`) && reported.every((label) => each.includes(label)),
        );
        return Number(line?.split(' ').at(-1));
      };
      expect(figure('acervo_events_total', 'outcome="handled"')).toBe(6);
      expect(figure('acervo_events_total', 'outcome="failed"')).toBe(2);
      expect(figure('acervo_events_laid_aside_total')).toBe(1);
      expect(figure('acervo_event_seconds_count', 'outcome="handled"')).toBe(6);
      expect(figure('acervo_event_seconds_count', 'outcome="failed"')).toBe(2);
      expect(figure('acervo_event_wait_seconds_count')).toBe(7);
    });
  });
