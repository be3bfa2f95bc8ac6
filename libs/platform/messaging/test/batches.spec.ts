import { randomUUID } from 'node:crypto';
import { documentIndexed, DocumentIndexed, documentIndexingFailed, DocumentIndexingFailed } from '@acervo/contracts';
import { appRole, Database, RELAY_ROLE, type TenantScope, type Transaction } from '@acervo/platform-database';
import { inTraceOf, Metrics, Telemetry, workContext } from '@acervo/platform-observability';
import type { TestDatabase } from '@acervo/platform-testing';
import type { WorkScope } from '@acervo/rbac';
import {
  Consumer,
  EmbeddedRelay,
  EventRetries,
  Failpoints,
  Notifications,
  On,
  originOf,
  Outbox,
  subscriptionsOf,
} from '../src';
import { indexed, openMessaging, OtherEvents, silent } from './support';

/** Counts the transactions of a consumer. */
class CountingDatabase extends Database {
  transactions = 0;

  override write<T>(scope: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.transactions += 1;
    return super.write(scope, work);
  }

  override ungrouped<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.transactions += 1;
    return super.ungrouped(work);
  }

  override ungroupedStatement<R extends object>(sql: string, params: readonly unknown[]): Promise<R[]> {
    this.transactions += 1;
    return super.ungroupedStatement<R>(sql, params);
  }
}

/** Records what commits: its rows are written in the transaction of the events. */
class Handlers {
  calls: number[] = [];
  traces: (string | null)[] = [];
  /** The trace under which the last batch was handled. */
  under: string | undefined;
  poisoned = '';

  @On(documentIndexed, { atOnce: 64 })
  async indexed(_scope: WorkScope, tx: Transaction, facts: readonly DocumentIndexed[]): Promise<void> {
    this.calls.push(facts.length);
    this.under = workContext.traceparent()?.slice(3, 35);
    for (const { documentId, revision } of facts) {
      await tx.query('insert into ingestion.effect (name) values ($1)', [`${documentId}:${revision}`]);
      if (documentId === this.poisoned) throw new Error('poison');
    }
    this.traces.push(...facts.map((fact) => originOf(fact).trace));
  }

  @On(documentIndexingFailed)
  async failed(_scope: WorkScope, tx: Transaction, fact: DocumentIndexingFailed): Promise<void> {
    await tx.query('insert into ingestion.effect (name) values ($1)', [`${fact.documentId}:failed`]);
  }
}

describe('events that are handled at once', () => {
  const group = { groupId: randomUUID() };
  const outbox = new Outbox('retrieval');
  let server: TestDatabase;
  let database: CountingDatabase;
  let relay: EmbeddedRelay;
  let handlers: Handlers;
  let consumer: Consumer;

  const consumerOf = (): Consumer =>
    new Consumer(
      'ingestion',
      database,
      new Notifications(server.connection(appRole('ingestion'))),
      new Telemetry(silent, new Metrics('test')),
      Failpoints.none,
      new EventRetries(2, 1),
    ).subscribe(subscriptionsOf('ingestion', [handlers, new OtherEvents()]));

  beforeAll(async () => {
    server = await openMessaging();
    await server.asOwner(
      'ingestion',
      `create table ingestion.effect (id bigint generated always as identity, name text);
       grant insert on ingestion.effect to ingestion_app`,
    );
    database = new CountingDatabase(server.connection(appRole('ingestion'), 'courier'));
    relay = new EmbeddedRelay(server.connection(RELAY_ROLE), silent);
    handlers = new Handlers();
    consumer = consumerOf();
  });
  afterAll(async () => {
    await relay.stop();
    await database.close();
    await server.close();
  });
  beforeEach(async () => {
    handlers.calls = [];
    handlers.traces = [];
    handlers.poisoned = '';
    await server.asOwner(
      'ingestion',
      'truncate ingestion.effect, ingestion.incoming, ingestion.inbox, ingestion.dead_letter, ingestion.parked_key',
    );
  });

  const publish = (facts: readonly DocumentIndexed[]): Promise<void> =>
    server.database('retrieval').write(group, (tx) =>
      outbox.appendAll(
        tx,
        documentIndexed,
        facts.map((payload) => ({ payload })),
      ),
    );
  const effects = async (): Promise<string[]> =>
    (await server.asOwner('ingestion', 'select name from ingestion.effect order by id')).map(({ name }) =>
      String(name),
    );
  const count = async (table: string): Promise<number> =>
    Number((await server.asOwner('ingestion', `select count(*)::int as n from ingestion.${table}`))[0]?.['n']);

  it('events of one statement arrive in their order', async () => {
    const documents = Array.from({ length: 30 }, () => randomUUID());
    await publish(documents.flatMap((document) => [indexed(document, 1), indexed(document, 2)]));
    await relay.moveAll();
    await consumer.drain();
    const names = await effects();
    expect(names).toHaveLength(60);
    for (const document of documents)
      expect(names.filter((name) => name.startsWith(document))).toEqual([`${document}:1`, `${document}:2`]);
    expect(Math.max(...handlers.calls)).toBeGreaterThan(1);
  });

  it('topics of a key keep their order in batches', async () => {
    const documents = Array.from({ length: 10 }, () => randomUUID());
    await server.database('retrieval').write(group, async (tx) => {
      for (const document of documents) {
        await outbox.append(tx, documentIndexed, indexed(document, 1));
        const failed = { documentId: document, generation: 1, revision: 2, reason: 'x', isFinal: false };
        await outbox.append(tx, documentIndexingFailed, failed);
        await outbox.append(tx, documentIndexed, indexed(document, 3));
      }
    });
    await relay.moveAll();
    await consumer.drain();
    const names = await effects();
    for (const document of documents)
      expect(names.filter((name) => name.startsWith(document))).toEqual(
        ['1', 'failed', '3'].map((what) => `${document}:${what}`),
      );
  });

  it('one poisonous event of many parks its key, and the others are handled once', async () => {
    const documents = Array.from({ length: 60 }, () => randomUUID());
    const poisoned = (handlers.poisoned = documents[17] ?? '');
    await publish([...documents.map((document) => indexed(document, 1)), indexed(poisoned, 2)]);
    await relay.moveAll();
    for (let turn = 0; turn < 4; turn += 1) {
      await consumer.drain();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const others = documents.filter((document) => document !== poisoned);
    expect((await effects()).toSorted()).toEqual(others.map((document) => `${document}:1`).toSorted());
    expect([await count('dead_letter'), await count('parked_key'), await count('incoming')]).toEqual([1, 1, 1]);
    handlers.poisoned = '';
    await consumer.replay(group.groupId, poisoned);
    await consumer.drain();
    expect((await effects()).slice(-2)).toEqual([`${poisoned}:1`, `${poisoned}:2`]);
  });

  it('an event that was delivered twice is handled once, also within a batch', async () => {
    await publish(Array.from({ length: 5 }, () => indexed(randomUUID(), 1)));
    await relay.moveAll();
    await server.asOwner(
      'ingestion',
      `insert into ingestion.incoming (event_id, group_id, topic, event_key, payload, cause)
       select event_id, group_id, topic, event_key, payload, cause from ingestion.incoming`,
    );
    await consumer.drain();
    expect([(await effects()).length, await count('incoming'), await count('inbox')]).toEqual([5, 0, 5]);
  });

  it('events on an engine that needs no time share ever larger transactions', async () => {
    await publish(Array.from({ length: 300 }, () => indexed(randomUUID(), 1)));
    await relay.moveAll();
    // Another process, which has learnt no size yet, takes the lease.
    await server.asOwner('ingestion', `update ingestion.consumer_lease set held_until = now() - interval '1 second'`);
    consumer = consumerOf();
    database.transactions = 0;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    await consumer.drain();
    clock.mockRestore();
    expect(await effects()).toHaveLength(300);
    // A claim takes 100 events; the sizes double from claim to claim.
    const batches = [16, 16, 16, 16, 16, 16, 4, 32, 32, 32, 4, 64, 36];
    expect(handlers.calls).toEqual(batches);
    // Beside them the lease, three claims, and one that finds nothing.
    expect(database.transactions).toBe(batches.length + 5);
  });

  it('each event of a batch has its own origin', async () => {
    const traces = ['a', 'b'].map((digit) => `00-${digit.repeat(32)}-${'1'.repeat(16)}-01`);
    for (const trace of traces) await inTraceOf({ trace }, () => publish([indexed(randomUUID(), 1)]));
    await relay.moveAll();
    await consumer.drain();
    expect(handlers.traces.map((trace) => trace?.slice(3, 35))).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
  });

  it.each([
    ['one trace', ['a', 'a'], true],
    ['two traces', ['a', 'b'], false],
  ])('a batch of %s is handled under the shared one alone', async (_what, digits, isShared) => {
    for (const [span, digit] of digits.entries()) {
      const trace = `00-${digit.repeat(32)}-${`${span + 1}`.repeat(16)}-01`;
      await inTraceOf({ trace }, () => publish([indexed(randomUUID(), 1)]));
    }
    await relay.moveAll();
    await consumer.drain();
    expect(handlers.under === 'a'.repeat(32)).toBe(isShared);
  });

  it('a consumer without events and a relay with a fresh lease write nothing', async () => {
    const written = async (): Promise<unknown[]> => [
      await server.asOwner('ingestion', 'select xmin::text from ingestion.consumer_lease'),
      await server.asOwner('retrieval', 'select xmin::text from retrieval.outbox_lane order by lane'),
    ];
    await publish([indexed(randomUUID(), 1)]);
    await relay.moveAll();
    await consumer.drain();
    const before = await written();
    await consumer.drain();
    await server.asOwner('retrieval', `update retrieval.outbox_lane set held_until = now() + interval '1 hour'`);
    const [, partitions] = await written();
    await publish([indexed(randomUUID(), 1)]);
    expect(await relay.moveAll()).toBe(1);
    expect(await written()).toEqual([before[0], partitions]);
  });
});
