import { randomUUID } from 'node:crypto';
import { actOnEngine, describeOnStack, eventually } from '@acervo/platform-testing';
import { EngineDown } from '@acervo/contracts';
import { chunkId } from '../src/legs/opensearch/index-shape';
import { termsClauses } from '../src/legs/opensearch/lexical-query';
import { memberClauses, type MemberFilter } from '../src/legs/opensearch/member-filter';
import type { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { handOver, userScope, withdraw, workScope } from './documents';
import { behavesLikeALexicalIndex } from './lexical.behaviour';
import { behindTheBack, earlierIndex, openEngine, openOnStack } from './opensearch';
import type { Retrieval } from './support';

describeOnStack('OpenSearch', ['opensearch'], () => {
  behavesLikeALexicalIndex('OpenSearch', openOnStack);

  describe('copies in OpenSearch', () => {
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
    it('other groups never change the scores of a group', async () => {
      const [groupId, other] = [randomUUID(), randomUUID()];
      await handOver(retrieval, { groupId, texts: ['agua agua pozo', 'agua luz', 'pozo luz'] });
      const before = await scores(groupId, 'agu luc poc');
      expect(before).toHaveLength(3);
      await handOver(retrieval, { groupId: other, texts: Array.from({ length: 50 }, () => 'agua agua agua luz') });
      expect(await scores(groupId, 'agu luc poc')).toEqual(before);
    });

    it('a copy that names another group is never found', async () => {
      const [groupId, stranger] = [randomUUID(), randomUUID()];
      const { documentId } = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      const place = { documentId: stranger, generation: 1, ordinal: 0 };
      await behindTheBack(groupId, `_doc/${chunkId(place)}`, {
        ...{ group_id: randomUUID(), document_id: stranger, generation: 1, ordinal: 0, gone: false },
        ...{ entity_code: 'E1', location_ancestors: ['L1'], terms: 'turbin' },
      });
      expect(await engine.missing({ groupId }, 1, [place])).toEqual(new Set());
      const found = await engine.search({ groupId }, termsClauses('turbin'), [], 10);
      expect(found.map((hit) => hit.documentId)).toEqual([documentId]);
      expect(await engine.count({ groupId })).toBe(1);
      const counted = await engine.found({ groupId }, { after: null, through: null, most: 10 });
      expect(counted.map((each) => each.documentId)).toEqual([documentId]);
      for await (const page of engine.copiesOf({ groupId }, stranger)) expect(page).toEqual([]);
    });

    const foundBy = async (groupId: string, type: string): Promise<string[]> => {
      await engine.refresh({ groupId }, 1);
      const filter = [{ terms: { type_codes: [type] } }];
      return (await engine.search({ groupId }, termsClauses('turbin'), filter, 10)).map((hit) => hit.documentId);
    };

    it('an index of an earlier release gets the fields that it lacks', async () => {
      const groupId = randomUUID();
      await earlierIndex(groupId);
      expect(await foundBy(groupId, 'LEASE')).toEqual([]);
      const texts = ['La turbina gira.'];
      const fact = await handOver(retrieval, { groupId, texts, typeCodes: ['CONTRACT', 'LEASE'] });
      for (const type of fact.typeCodes ?? []) expect(await foundBy(groupId, type)).toEqual([fact.documentId]);
    });

    it('an earlier index that appears later gets its fields with the next write', async () => {
      const groupId = randomUUID();
      const fact = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await earlierIndex(groupId, { replaced: true });
      const later = { ...fact, revision: 2, typeCodes: ['LEASE'] };
      await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, [later]));
      await retrieval.work(groupId, 'copy');
      expect(await foundBy(groupId, 'LEASE')).toEqual([fact.documentId]);
    });

    it('a query names 140,000 members of a space', async () => {
      const groupId = randomUUID();
      const { documentId } = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await engine.refresh({ groupId }, 1);
      const others = Array.from({ length: 140_000 }, () => randomUUID());
      const found = async (filter: MemberFilter): Promise<string[]> =>
        (await engine.search({ groupId }, termsClauses('turbin'), memberClauses(filter), 10)).map(
          (hit) => hit.documentId,
        );
      expect(await found({ kind: 'members', ids: [...others, documentId] })).toEqual([documentId]);
      expect(await found({ kind: 'members', ids: others })).toEqual([]);
      expect(await found({ kind: 'members', ids: [] })).toEqual([]);
      expect(await found({ kind: 'others', ids: others })).toEqual([documentId]);
      expect(await found({ kind: 'others', ids: [documentId, ...others] })).toEqual([]);
    });

    it('tombstones survive a kill and a restart of the engine', async () => {
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
    });

    it('without the engine the vector leg answers and tasks wait', async () => {
      const groupId = randomUUID();
      await handOver(retrieval, { groupId, code: 'UNO', texts: ['La turbina gira.'] });
      await actOnEngine('opensearch', 'kill');
      try {
        expect(await eventually('an answer', () => found(groupId), 2_000)).toEqual(['UNO']);
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
    });
  });
});
