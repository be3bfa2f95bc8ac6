import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { documentIndexed } from '@acervo/contracts';
import { appRole, RELAY_ROLE } from '@acervo/platform-database';
import type { TestDatabase } from '@acervo/platform-testing';
import { Outbox } from '../src';
import { indexed, openMessaging } from './support';

const DOCUMENTS = 3;
/** More than one batch of the relay, so that a kill also falls between two of them. */
const REVISIONS = 70;

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Where processes die that handle so many events at once; a dead letter is worked alone after its first death. */
export interface Kills {
  readonly atOnce: number | null;
  /** Moves of the relay, and events of the consumer, before which a process dies, one after another. */
  readonly relay: readonly number[];
  readonly consumer: readonly number[];
  readonly withDeadLetter: boolean;
}

/** Kills processes that relay and consume: no event is lost or doubled. */
export const eventsSurvive = ({ atOnce, relay, consumer, withDeadLetter }: Kills): void => {
  let server: TestDatabase;

  const run = (failpoint: string | null, deadlyDocument: string | null = null): Promise<End> =>
    new Promise((resolve, reject) => {
      const child = fork(join(__dirname, 'one-process.cjs'), [], { execArgv: [] });
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.send({
        relayConnection: server.connection(RELAY_ROLE),
        connection: server.connection(appRole('ingestion')),
        failpoint,
        deadlyDocument,
        atOnce,
      });
    });
  /** Expires the leases of ended processes without waiting. */
  const expireLeases = async (): Promise<void> => {
    await server.asOwner('retrieval', `update retrieval.outbox_lane set held_until = '-infinity'`);
    await server.asOwner('ingestion', `update ingestion.consumer_lease set held_until = '-infinity'`);
  };
  const count = async (sql: string): Promise<number> =>
    Number((await server.asOwner('ingestion', `select count(*)::int as n from ${sql}`))[0]?.['n']);

  beforeAll(async () => {
    server = await openMessaging();
    await server.asOwner(
      'ingestion',
      `create table ingestion.effect (id bigint generated always as identity, document_id uuid, revision int);
       grant insert on ingestion.effect to ingestion_app`,
    );
  });
  afterAll(() => server.close());
  beforeEach(() => server.asOwner('ingestion', 'truncate ingestion.effect, ingestion.inbox'));

  const surviving = async (failpoint: string, passages: readonly number[]): Promise<void> => {
    const producer = server.database('retrieval');
    const outbox = new Outbox('retrieval');
    const expected: string[] = [];
    for (const [index, passage] of passages.entries()) {
      const documents = Array.from({ length: DOCUMENTS }, () => randomUUID());
      await producer.write({ groupId: randomUUID() }, async (tx) => {
        for (let revision = 1; revision <= REVISIONS; revision += 1)
          for (const document of documents) await outbox.append(tx, documentIndexed, indexed(document, revision));
      });
      for (const document of documents)
        for (let revision = 1; revision <= REVISIONS; revision += 1) expected.push(`${document}:${revision}`);
      await expireLeases();
      expect(await run(`${failpoint}:${passage}`)).toEqual({ code: null, signal: 'SIGKILL' });
      const before = await count('ingestion.effect');
      expect(before).toBeLessThan((index + 1) * DOCUMENTS * REVISIONS);
      if (failpoint.startsWith('consumer')) expect(before % (DOCUMENTS * REVISIONS)).toBeGreaterThan(0);
      expect(await count('ingestion.inbox')).toBe(before);
      await expireLeases();
      expect(await run(null)).toEqual({ code: 0, signal: null });
    }
    const effects = await server.asOwner('ingestion', 'select document_id, revision from ingestion.effect order by id');
    const found = effects.map(({ document_id: document, revision }) => `${String(document)}:${String(revision)}`);
    // As many effects as events: none is lost or doubled, and each key is in order.
    expect(found.toSorted()).toEqual(expected.toSorted());
    for (const document of new Set(expected.map((entry) => entry.slice(0, 36))))
      expect(found.filter((entry) => entry.startsWith(document))).toEqual(
        expected.filter((entry) => entry.startsWith(document)),
      );
    expect(await count('ingestion.incoming')).toBe(0);
    expect(await server.asOwner('retrieval', 'select from retrieval.outbox')).toEqual([]);
  };

  if (relay.length > 0)
    it(`kills before the relay moves events (${relay.length}) lose and double none`, () =>
      surviving('relay.before-move', relay));

  it(`kills between effect and inbox row (${consumer.length}) lose and double no event`, () =>
    surviving('consumer.before-inbox', consumer));

  if (!withDeadLetter) return;
  it('an event that kills its process is dead-lettered after eight deaths', async () => {
    const [groupId, deadly, ...others] = Array.from({ length: 5 }, () => randomUUID());
    const documents = [...others, deadly];
    await server.database('retrieval').write({ groupId: groupId ?? '' }, async (tx) => {
      for (const revision of [1, 2, 3])
        for (const document of documents)
          await new Outbox('retrieval').append(tx, documentIndexed, indexed(document ?? '', revision));
    });
    let deaths = -1;
    for (let end: End = { code: null, signal: null }; end.code !== 0; deaths += 1) {
      await expireLeases();
      end = await run(null, deadly);
      if (deaths > 12) throw new Error('It is handed out for ever.');
    }
    // Once with others, then eight times alone.
    expect(deaths).toBe(9);
    const letters = `select event_key, reason from ingestion.dead_letter where group_id = '${groupId}'`;
    expect(await server.asOwner('ingestion', letters)).toEqual([{ event_key: deadly, reason: 'WorkerDied' }]);
    const rows = await server.asOwner('ingestion', 'select document_id, revision from ingestion.effect order by id');
    const handled = rows.map(({ document_id: document, revision }) => `${String(document)}:${String(revision)}`);
    for (const document of others)
      expect(handled.filter((entry) => entry.startsWith(document))).toEqual([1, 2, 3].map((n) => `${document}:${n}`));
    expect(handled).toHaveLength(9);
    // What follows it with the same key waits until it is replayed.
    expect(await count('ingestion.incoming')).toBe(2);
    await server.asOwner('ingestion', 'delete from ingestion.dead_letter');
    await server.asOwner('ingestion', 'delete from ingestion.parked_key');
    await expireLeases();
    expect(await run(null)).toEqual({ code: 0, signal: null });
    expect(await count('ingestion.incoming')).toBe(0);
  });
};
