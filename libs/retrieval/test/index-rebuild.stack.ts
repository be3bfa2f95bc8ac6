import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describeOnStack } from '@acervo/platform-testing';
import { OpenSearchCopies } from '../src/legs/opensearch/copies/open-search-copies';
import { chunkId } from '../src/legs/opensearch/index-shape';
import { termsClauses } from '../src/legs/opensearch/lexical-query';
import type { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { LexicalIndex } from '../src/legs/ranking';
import { handOver, userScope, withdraw, workScope } from './documents';
import { openEngine, openOnStack } from './opensearch';
import type { Retrieval } from './support';

describeOnStack('the copies of a group during a rebuild', ['opensearch'], () => {
  let retrieval: Retrieval;
  let engine: OpenSearchEngine;
  beforeAll(async () => {
    engine = openEngine();
    retrieval = await openOnStack();
  });
  afterAll(async () => {
    await engine.close();
    await retrieval.close();
  });

  const look = async (groupId: string, index: number) => {
    await engine.refresh({ groupId }, index);
    return retrieval.inventoryHandlers().list(workScope(groupId), { after: '', limit: 100, only: [] });
  };
  const found = async (groupId: string): Promise<string[]> => {
    const { documents } = await retrieval
      .searchWith()
      .search(userScope(groupId), { query: 'turbina', limit: 10, minSimilarity: 0 });
    return documents.map(({ code }) => code);
  };
  const number = async (groupId: string): Promise<Record<string, unknown>[]> =>
    retrieval.database.read({ groupId }, (tx) =>
      tx.query('select number, state from retrieval.lexical_index order by number'),
    );

  it('a rebuild writes both indexes and switches once the new is complete', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.', 'Luz.'] });
    await retrieval.rebuildCopies(groupId);
    const late = await handOver(retrieval, { groupId, code: 'DOS', texts: ['Otra turbina.'] });
    await retrieval.work(groupId, 'rebuild');
    expect(await number(groupId)).toEqual([
      { number: 1, state: 'RETIRED' },
      { number: 2, state: 'LIVE' },
    ]);
    const places = [0, 1].map((ordinal) => ({ documentId, generation: 1, ordinal }));
    const all = [...places, { documentId: late.documentId, generation: 1, ordinal: 0 }];
    expect(await engine.missing({ groupId }, 2, all)).toEqual(new Set());
    await engine.refresh({ groupId }, 2);
    expect(await engine.count({ groupId })).toBe(3);
    await engine.drop({ groupId }, 1);
    expect((await found(groupId)).toSorted()).toEqual(['DOS', 'UNO']);
  });

  const putOff = (groupId: string, index: number, time: string): Promise<unknown> =>
    retrieval.database.write({ groupId }, (tx) =>
      tx.query(
        `update retrieval.task set not_before = now() + $1::interval where stage = 'rebuild' and generation = $2`,
        [time, index],
      ),
    );
  /** Works rebuilds and removals of indexes until none is left. */
  const workOnIndexes = async (groupId: string): Promise<void> => {
    for (let worked = 1; worked > 0;) {
      worked = await retrieval.work(groupId, 'rebuild');
      await retrieval.database.write({ groupId }, (tx) =>
        tx.query(`update retrieval.task set not_before = now() where stage = 'drop'`),
      );
      worked += await retrieval.work(groupId, 'drop');
    }
  };

  it('a rebuild under load loses no copy and fails no search', async () => {
    const groupId = randomUUID();
    const ids: string[] = [];
    const arrive = async (): Promise<void> => {
      ids.push((await handOver(retrieval, { groupId, texts: ['La turbina gira.', 'Un pozo.'] })).documentId);
    };
    for (let count = 0; count < 5; count += 1) await arrive();
    await engine.refresh({ groupId }, 1);
    const first = ids.slice();
    let [searches, over] = [0, false];
    const search = async (): Promise<void> => {
      for (; !over; searches += 1) {
        const found = await engine.search({ groupId }, termsClauses('turbin'), [], 100);
        expect(found.map(({ documentId }) => documentId)).toEqual(expect.arrayContaining(first));
      }
    };
    const searching = search();
    const arriving = (async () => {
      for (let count = 0; count < 10; count += 1) await arrive();
      await withdraw(retrieval, groupId, ids[9] ?? '', 2);
      await retrieval.work(groupId, 'purge');
    })();
    const sent = await retrieval.rebuildCopies(groupId);
    expect(sent).toEqual({ isPlanned: true });
    await workOnIndexes(groupId);
    await arriving;
    over = true;
    await searching;
    expect(searches).toBeGreaterThan(0);
    expect(await number(groupId)).toEqual([{ number: 2, state: 'LIVE' }]);
    expect([await engine.hasIndex({ groupId }, 1), await engine.hasIndex({ groupId }, 2)]).toEqual([false, true]);
    const { documents, copiesUnread } = await look(groupId, 2);
    expect(copiesUnread).toBe(false);
    expect(documents.filter(({ copiesMissing, copiesExtra }) => copiesMissing + copiesExtra > 0)).toEqual([]);
    expect(await engine.count({ groupId })).toBe(28);
  });

  it('a lost new index is filled again while the old stays live', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
    await retrieval.rebuildCopies(groupId);
    await engine.drop({ groupId }, 2);
    await handOver(retrieval, { groupId, code: 'DOS', texts: ['Otra turbina.'] });
    await workOnIndexes(groupId);
    expect(await number(groupId)).toEqual([{ number: 2, state: 'LIVE' }]);
    await engine.refresh({ groupId }, 2);
    expect(await engine.count({ groupId })).toBe(2);
    expect((await found(groupId)).toSorted()).toEqual(['DOS', 'UNO']);
  });

  it('a lost live index is filled again during a rebuild', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
    await retrieval.rebuildCopies(groupId);
    await engine.drop({ groupId }, 1);
    await handOver(retrieval, { groupId, code: 'DOS', texts: ['Otra turbina.'] });
    await putOff(groupId, 2, '1 hour');
    await retrieval.work(groupId, 'rebuild');
    expect(await number(groupId)).toEqual([
      { number: 1, state: 'LIVE' },
      { number: 2, state: 'BUILDING' },
    ]);
    await putOff(groupId, 2, '0 hours');
    await workOnIndexes(groupId);
    expect(await number(groupId)).toEqual([{ number: 2, state: 'LIVE' }]);
    await engine.refresh({ groupId }, 2);
    expect(await engine.count({ groupId })).toBe(2);
  });

  it('documents older than the engine get copies after the first search', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
    await engine.drop({ groupId }, 1);
    await retrieval.database.write({ groupId }, (tx) => tx.query('delete from retrieval.lexical_index'));
    const lexical = (await retrieval.another()).get<LexicalIndex>(LexicalIndex);
    const request = { query: 'turbina', limit: 10, minSimilarity: 0 };
    expect((await retrieval.searchWith({ lexical }).search(userScope(groupId), request)).documents).toHaveLength(1);
    for (let turn = 0; turn < 100 && (await retrieval.work(groupId, 'rebuild')) === 0; turn += 1) await pause(50);
    expect(await number(groupId)).toEqual([{ number: 1, state: 'LIVE' }]);
    expect(await engine.count({ groupId })).toBe(1);
  });

  it('an index lost without a running process is rebuilt', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
    await engine.drop({ groupId }, 1);
    await (await retrieval.another()).get(OpenSearchCopies).prepare({ groupId });
    await workOnIndexes(groupId);
    expect(await engine.count({ groupId })).toBe(1);
  });

  it('a lost index is rebuilt from the database', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
    await engine.drop({ groupId }, 1);
    await handOver(retrieval, { groupId, code: 'DOS', texts: ['Otra turbina.'] });
    const place = { documentId, generation: 1, ordinal: 0 };
    expect(await engine.missing({ groupId }, 1, [place])).toEqual(new Set([chunkId(place)]));
    await retrieval.work(groupId, 'rebuild');
    expect(await engine.missing({ groupId }, 1, [place])).toEqual(new Set());
    expect((await found(groupId)).toSorted()).toEqual(['DOS', 'UNO']);
  });
});
