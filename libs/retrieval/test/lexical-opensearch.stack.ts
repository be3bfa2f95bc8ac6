import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { actOnEngine, describeOnStack } from '@acervo/platform-testing';
import { EngineDown } from '@acervo/contracts';
import { onOpenSearch } from '../src/legs/lexical-engine';
import { chunkId } from '../src/legs/opensearch/index-shape';
import { termsClauses } from '../src/legs/opensearch/lexical-query';
import type { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { handOver, userScope, withdraw } from './documents';
import { behavesLikeALexicalIndex } from './lexical.behaviour';
import { onStackEngine, openEngine } from './opensearch';
import { openRetrieval, type Retrieval } from './support';

describeOnStack('OpenSearch', ['opensearch'], () => {
  behavesLikeALexicalIndex('OpenSearch', () => openRetrieval(onStackEngine));

  describe('copies in OpenSearch', () => {
    let retrieval: Retrieval;
    let engine: OpenSearchEngine;
    beforeAll(async () => {
      engine = openEngine();
      retrieval = await openRetrieval(onStackEngine);
    }, 60_000);
    afterAll(async () => {
      await engine.close();
      await retrieval.close();
    }, 30_000);

    const scores = async (groupId: string, words: string) => {
      await engine.refresh({ groupId }, 1);
      return (await engine.search({ groupId }, termsClauses(words), [], 100)).map(({ ordinal, score }) => [
        ordinal,
        score,
      ]);
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

    it('score a group the same to the last digit, whatever other groups hold', async () => {
      const [groupId, other] = [randomUUID(), randomUUID()];
      await handOver(retrieval, { groupId, texts: ['agua agua pozo', 'agua luz', 'pozo luz'] });
      const before = await scores(groupId, 'agu luz poz');
      expect(before).toHaveLength(3);
      await handOver(retrieval, { groupId: other, texts: Array.from({ length: 50 }, () => 'agua agua agua luz') });
      expect(await scores(groupId, 'agu luz poz')).toEqual(before);
    });

    it('stay gone after the engine was killed and started again', async () => {
      const groupId = randomUUID();
      const { documentId } = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await withdraw(retrieval, groupId, documentId, 3);
      await retrieval.work(groupId, 'purge');
      const place = { documentId, generation: 1, ordinal: 0 };
      await actOnEngine('opensearch', 'kill');
      await actOnEngine('opensearch', 'start');
      await engine.ensureIndex({ groupId }, 1);
      await engine.write({ groupId }, [1], [{ ...place, version: 2, content: { gone: false, terms: 'turbin' } }]);
      expect(await scores(groupId, 'turbin')).toEqual([]);
      expect(await engine.missing({ groupId }, 1, [place])).toEqual(new Set());
    }, 120_000);

    it('leave searches to the other leg while the engine is down, and work waits for it', async () => {
      const groupId = randomUUID();
      await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
      await actOnEngine('opensearch', 'kill');
      try {
        const started = performance.now();
        expect(await found(groupId)).toEqual(['UNO']);
        expect(performance.now() - started).toBeLessThan(2_000);
        await expect(engine.ping()).rejects.toThrow(EngineDown);
        for (let turn = 0; turn < 8; turn += 1)
          await handOver(retrieval, { groupId, code: 'DOS', documentId: groupId, texts: ['Otra turbina.'] });
        expect(await found(groupId)).toEqual(['UNO']);
      } finally {
        await actOnEngine('opensearch', 'start');
      }
      await engine.ensureIndex({ groupId }, 1);
      await retrieval.work(groupId, 'index');
      expect((await scores(groupId, 'turbin')).length).toBe(2);
    }, 120_000);

    it('are filled into a new index while both are written, which is searched instead once it lacks nothing', async () => {
      const groupId = randomUUID();
      const { documentId } = await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.', 'Luz.'] });
      await retrieval.database.write({ groupId }, (tx) => retrieval.rebuild(tx));
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

    it('are made for documents that were taken in before there was the engine, once somebody searches', async () => {
      const groupId = randomUUID();
      await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
      await engine.drop({ groupId }, 1);
      await retrieval.database.write({ groupId }, (tx) => tx.query('delete from retrieval.lexical_index'));
      const fresh = onOpenSearch(engine, { ...retrieval.lexicalParts }, 0);
      const ask = () => retrieval.searchWith({ lexical: fresh.index });
      const request = { query: 'turbina', limit: 10, minSimilarity: 0 };
      expect((await ask().search(userScope(groupId), request)).documents).toHaveLength(1);
      for (let turn = 0; turn < 100 && (await retrieval.work(groupId, 'rebuild')) === 0; turn += 1) await pause(50);
      expect(await number(groupId)).toEqual([{ number: 1, state: 'LIVE' }]);
      expect(await engine.count({ groupId })).toBe(1);
    });

    it('are made again from the database where their index was lost', async () => {
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
});
