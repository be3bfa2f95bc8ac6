import { randomUUID } from 'node:crypto';
import type { InventoryDocument, InventoryPage } from '@acervo/contracts';
import { actOnEngine, describeOnStack } from '@acervo/platform-testing';
import type { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { handOver, withdraw, workScope } from './documents';
import { behindTheBack, openEngine, openOnStack } from './opensearch';
import type { Retrieval } from './support';

describeOnStack('copies compared with chunks', ['opensearch'], () => {
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

  const look = async (groupId: string, over: object = {}): Promise<InventoryPage> => {
    if (await engine.isAimed({ groupId })) await engine.refresh({ groupId }, 1);
    return retrieval.inventoryHandlers().list(workScope(groupId), { after: '', limit: 50, only: [], ...over });
  };
  const difference = ({ documentId, copiesMissing, copiesExtra }: InventoryDocument) => [
    documentId,
    copiesMissing,
    copiesExtra,
  ];
  const differences = async (groupId: string, over?: object) =>
    (await look(groupId, over)).documents.map(difference).filter(([, missing, extra]) => missing !== 0 || extra !== 0);
  const questions = async (): Promise<number> => {
    const figures = await retrieval.metrics.registry.metrics();
    const [, count = '0'] =
      /acervo_lexical_engine_seconds_count\{[^}]*operation="compare"[^}]*\} (\d+)/.exec(figures) ?? [];
    return Number(count);
  };
  const purge = (groupId: string, documentId: string) =>
    retrieval.database.write({ groupId }, async (tx) => {
      for (const stage of ['purge', 'bury'])
        await retrieval.tasks.enqueue(tx, { subjectId: documentId, stage, generation: 0 });
    });

  it('copies match chunks after changes; one query serves a whole page', async () => {
    const groupId = randomUUID();
    const facts = [];
    for (let index = 0; index < 12; index += 1)
      facts.push(await handOver(retrieval, { groupId, texts: ['La turbina gira.', 'Un pozo.'] }));
    const [changed = '', gone = ''] = facts.map(({ documentId }) => documentId);
    await handOver(retrieval, { groupId, documentId: changed, texts: ['El motor.'], revision: 2, generation: 2 });
    await withdraw(retrieval, groupId, gone, 2);
    await retrieval.work(groupId, 'purge');
    const before = await questions();
    const page = await look(groupId);
    expect((await questions()) - before).toBe(1);
    expect(page).toMatchObject({ copiesUnread: false, hasMore: false });
    expect(page.documents).toHaveLength(12);
    expect(await differences(groupId)).toEqual([]);
  });

  it('lost copies and tombstones of live chunks count as missing', async () => {
    const groupId = randomUUID();
    const one = await handOver(retrieval, { groupId, texts: ['La turbina gira.', 'Un pozo.', 'Luz.'] });
    const two = await handOver(retrieval, { groupId, texts: ['Otra turbina.'] });
    // A deletion by query works on searchable chunks only.
    await engine.refresh({ groupId }, 1);
    await behindTheBack(groupId, '_delete_by_query', { query: { term: { ordinal: 1 } } });
    const place = { documentId: two.documentId, generation: 1, ordinal: 0 };
    await engine.write({ groupId }, [1], [{ ...place, version: 9, content: { gone: true } }]);
    const expected = [
      [one.documentId, 1, 0],
      [two.documentId, 1, 0],
    ].toSorted();
    expect((await differences(groupId)).toSorted()).toEqual(expected);
    expect(await differences(groupId, { only: [one.documentId] })).toEqual([[one.documentId, 1, 0]]);
  });

  it('only copies without a chunk or document are extra and removed', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, texts: ['La turbina gira.', 'Un pozo.'] });
    const stranger = 'ffffffff-ffff-7fff-8fff-ffffffffffff';
    const places = [
      { documentId, generation: 7, ordinal: 0 },
      { documentId, generation: 1, ordinal: 900 },
      { documentId: stranger, generation: 1, ordinal: 0 },
    ];
    const content = { gone: false, entity_code: 'E1', location_ancestors: ['L1'], terms: 'turbin' };
    await engine.write(
      { groupId },
      [1],
      places.map((place) => ({ ...place, version: 40, content })),
    );
    expect(await differences(groupId)).toEqual(
      [
        [documentId, 0, 2],
        [stranger, 0, 1],
      ].toSorted(),
    );
    for (const each of [documentId, stranger]) await purge(groupId, each);
    await retrieval.work(groupId, 'purge');
    await retrieval.work(groupId, 'bury');
    expect(await differences(groupId)).toEqual([]);
    expect(await engine.count({ groupId })).toBe(2);
    // Tombstones stay, so that no older write restores the copies.
    expect(await engine.missing({ groupId }, 1, places)).toEqual(new Set());
  });

  it('documents known only to the engine are listed page by page', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
    const strangers = Array.from({ length: 7 }, () => randomUUID()).toSorted();
    const content = { gone: false, entity_code: 'E1', location_ancestors: ['L1'], terms: 'turbin' };
    const writes = strangers.map((documentId) => ({ documentId, generation: 1, ordinal: 0, version: 1, content }));
    await engine.write({ groupId }, [1], writes);
    const seen: string[] = [];
    for (let [after, more] = ['', true]; more;) {
      const { documents, hasMore } = await look(groupId, { after, limit: 3 });
      seen.push(...documents.filter(({ copiesExtra }) => copiesExtra > 0).map(({ documentId }) => documentId));
      [after, more] = [documents.at(-1)?.documentId ?? '', hasMore];
    }
    expect(seen).toEqual(strangers);
  });

  it('copies are omitted and reported while an index fills or is down', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
    await retrieval.rebuildCopies(groupId);
    expect(await look(groupId)).toMatchObject({ copiesUnread: true, documents: [{ copiesMissing: 0 }] });
    await retrieval.work(groupId, 'rebuild');
    expect(await look(groupId)).toMatchObject({ copiesUnread: false });
    await actOnEngine('opensearch', 'kill');
    try {
      const page = await retrieval.inventoryHandlers().list(workScope(groupId), { after: '', limit: 5, only: [] });
      expect(page).toMatchObject({ copiesUnread: true, documents: [{ chunks: 1, copiesMissing: 0, copiesExtra: 0 }] });
    } finally {
      await actOnEngine('opensearch', 'start');
    }
  });

  it('a lost index is rebuilt, and its copies are omitted until then', async () => {
    const groupId = randomUUID();
    await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
    await engine.drop({ groupId }, 1);
    expect(
      await retrieval.inventoryHandlers().list(workScope(groupId), { after: '', limit: 5, only: [] }),
    ).toMatchObject({
      ...{ copiesUnread: true, documents: [{ copiesMissing: 0 }] },
    });
    await retrieval.work(groupId, 'rebuild');
    expect(await differences(groupId)).toEqual([]);
    expect(await look(groupId)).toMatchObject({ copiesUnread: false });
  });
});
