import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type DocumentDescribed, type SearchRequest, ScopeClaims } from '@acervo/contracts';
import { visibilityOf } from '@acervo/rbac';
import type { RankedChunk } from '../src/legs/ranking';
import {
  announce,
  described,
  type DocumentInput,
  handOver,
  prepare,
  userScope,
  withdraw,
  workScope,
} from './documents';
import type { Retrieval } from './support';

/** How long an event may take until searches know of it. */
const KNOWN_AFTER_MS = 2_000;

/** The behaviour of every lexical index, in any engine. */
export const behavesLikeALexicalIndex = (name: string, open: () => Promise<Retrieval>): void =>
  describe(`the lexical index on ${name}`, () => {
    let retrieval: Retrieval;
    beforeAll(async () => {
      retrieval = await open();
    }, 60_000);
    afterAll(() => retrieval.close(), 30_000);

    interface Asked {
      readonly claims?: Partial<ScopeClaims>;
      readonly narrowed?: Partial<Pick<SearchRequest, 'locationCode'>>;
      readonly depth?: number;
    }

    const rank = async (
      groupId: string,
      terms: string,
      { claims, narrowed = {}, depth = 200 }: Asked = {},
    ): Promise<readonly RankedChunk[]> => {
      const embeddingIndex = await retrieval.database.read({ groupId }, (tx) => retrieval.embeddingIndexes.live(tx));
      if (embeddingIndex === undefined) throw new Error('The group has no embedding index.');
      const visibility = visibilityOf(userScope(groupId, claims), narrowed);
      return retrieval.lexical.rank({ visibility, embeddingIndex, depth }, terms);
    };

    /** Repeats a check until it succeeds or the time is up; then it runs once more. */
    const soon = async (ask: () => Promise<void>): Promise<void> => {
      for (const until = Date.now() + KNOWN_AFTER_MS; Date.now() < until; await pause(50))
        try {
          return await ask();
        } catch {
          // Not searchable yet.
        }
      await ask();
    };

    const finds = (groupId: string, terms: string, documents: readonly string[], asked?: Asked): Promise<void> =>
      soon(async () => {
        const ranked = await rank(groupId, terms, asked);
        expect([...new Set(ranked.map(({ documentId }) => documentId))]).toEqual(documents);
      });

    const describeDocument = (groupId: string, fact: DocumentDescribed): Promise<void> =>
      retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, [fact]));

    /** Creates a group and hands documents over in it. */
    const library = async (...texts: (readonly string[])[]): Promise<{ groupId: string; ids: string[] }> => {
      const groupId = randomUUID();
      const ids: string[] = [];
      for (const each of texts) ids.push((await handOver(retrieval, { groupId, texts: each })).documentId);
      return { groupId, ids };
    };

    it('a hand-over is found within two seconds', async () => {
      const { groupId, ids } = await library(['La turbina gira.'], ['El pozo se limpia.']);
      await finds(groupId, 'turbin', [ids[0] ?? '']);
      await finds(groupId, 'poz', [ids[1] ?? '']);
    });

    it('unknown words and empty queries find nothing', async () => {
      const { groupId, ids } = await library(['La turbina gira.']);
      await finds(groupId, 'turbin', ids);
      expect(await rank(groupId, 'inexistente')).toEqual([]);
      expect(await rank(groupId, '')).toEqual([]);
    });

    it('rarer and repeated words rank first', async () => {
      const { groupId, ids } = await library(['agua agua pozo'], ['agua luz'], ['agua agua agua'], ['agua gas nube']);
      await finds(
        groupId,
        'agu luz',
        [1, 2, 0, 3].map((index) => ids[index] ?? ''),
      );
    });

    it('a word counts as often as the query repeats it', async () => {
      const { groupId, ids } = await library(['luz nube'], ['gas nube']);
      const [luz = '', gas = ''] = ids;
      await finds(groupId, 'luz gas gas', [gas, luz]);
      await finds(groupId, 'luz luz gas', [luz, gas]);
    });

    it('a ranking has the requested depth, each chunk once', async () => {
      const { groupId } = await library(Array.from({ length: 30 }, (_, index) => `Párrafo ${index} sobre turbinas.`));
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(30));
      const ranked = await rank(groupId, 'turbin', { depth: 12 });
      expect(new Set(ranked.map(({ ordinal }) => ordinal)).size).toBe(12);
    });

    it('a caller with a small view of a group finds its documents', async () => {
      const groupId = randomUUID();
      const texts = Array.from({ length: 40 }, () => 'turbina');
      await handOver(retrieval, { groupId, texts, entityCode: 'E2' });
      const { documentId } = await handOver(retrieval, { groupId, texts: ['Una turbina entre muchas otras cosas.'] });
      await finds(groupId, 'turbin', [documentId], { claims: { entities: ['E1'] }, depth: 5 });
    });

    it.each<[string, Partial<DocumentInput>, Asked]>([
      ['entity', { entityCode: 'E2' }, { claims: { entities: ['E1'] } }],
      ['area', { locationAncestors: ['L2', 'ROOT'] }, { claims: { locationRoots: ['L1'] } }],
      ['folder', { locationAncestors: ['L2', 'ROOT'] }, { narrowed: { locationCode: 'L1' } }],
    ])('hits stay within the %s of a caller', async (_kind, hidden, asked) => {
      const { groupId, ids } = await library(['La turbina gira.']);
      const { documentId } = await handOver(retrieval, { groupId, texts: ['Otra turbina.'], ...hidden });
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(2));
      await finds(groupId, 'turbin', ids, asked);
      expect((await rank(groupId, 'otr turbin', asked)).some((hit) => hit.documentId === documentId)).toBe(false);
    });

    it('a moved document is found without reading or embedding it again', async () => {
      const groupId = randomUUID();
      const fact = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await finds(groupId, 'turbin', [fact.documentId], { claims: { locationRoots: ['L1'] } });
      await retrieval.objects.delete({ groupId }, fact.chunksObject);
      await describeDocument(groupId, { ...fact, revision: 2, locationCode: 'L9', locationAncestors: ['L9', 'ROOT'] });
      expect(await rank(groupId, 'turbin', { claims: { locationRoots: ['L1'] } })).toEqual([]);
      await retrieval.work(groupId, 'copy');
      await finds(groupId, 'turbin', [fact.documentId], { claims: { locationRoots: ['L9'] } });
    });

    it('a document that moves during its load is found there', async () => {
      const groupId = randomUUID();
      const fact = await prepare(retrieval, { groupId, texts: ['La turbina gira.'] });
      await announce(retrieval, groupId, fact);
      await describeDocument(groupId, { ...fact, revision: 2, locationAncestors: ['L9', 'ROOT'] });
      await retrieval.work(groupId, 'index');
      await retrieval.work(groupId, 'copy');
      await finds(groupId, 'turbin', [fact.documentId], { claims: { locationRoots: ['L9'] } });
    });

    it('a withdrawn document disappears at once and older events never restore it', async () => {
      const { groupId, ids } = await library(['La turbina gira.'], ['Otra turbina.']);
      const [gone = '', stays = ''] = ids;
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(2));
      await withdraw(retrieval, groupId, gone, 5);
      expect((await rank(groupId, 'turbin')).map(({ documentId }) => documentId)).toEqual([stays]);
      await retrieval.work(groupId, 'purge');
      await handOver(retrieval, { groupId, documentId: gone, texts: ['La turbina gira.'], revision: 4 });
      await retrieval.work(groupId, 'purge');
      await finds(groupId, 'turbin', [stays]);
    });

    it('a later event restores a withdrawn document', async () => {
      const { groupId, ids } = await library(['La turbina gira.']);
      const [documentId = ''] = ids;
      await withdraw(retrieval, groupId, documentId, 2);
      await retrieval.work(groupId, 'purge');
      await handOver(retrieval, { groupId, documentId, texts: ['La turbina gira.'], revision: 3 });
      await finds(groupId, 'turbin', [documentId]);
    });

    it('a new generation replaces the earlier one without a gap', async () => {
      const groupId = randomUUID();
      const first = { groupId, texts: ['La turbina gira.', 'Un pozo.'] };
      const { documentId } = await handOver(retrieval, first);
      await finds(groupId, 'turbin', [documentId]);
      await handOver(retrieval, { groupId, documentId, texts: ['El motor gira.'], revision: 2, generation: 2 });
      await finds(groupId, 'motor', [documentId]);
      expect(await rank(groupId, 'turbin poz')).toEqual([]);
      await retrieval.work(groupId, 'purge');
      await finds(groupId, 'gir', [documentId]);
      expect(await rank(groupId, 'turbin poz')).toEqual([]);
    });

    it('documents of other groups never change the ranking of a group', async () => {
      const texts = [['agua agua pozo'], ['agua luz'], ['luz luz pozo'], ['agua pozo luz gas']];
      const { groupId, ids } = await library(...texts);
      const named = async (): Promise<string[]> =>
        (await rank(groupId, 'agu luz poz')).map(({ documentId }) => documentId);
      await soon(async () => expect(await named()).toHaveLength(4));
      const before = await named();
      await library(...Array.from({ length: 12 }, () => ['agua agua agua', 'pozo']));
      await pause(1_100);
      expect(await named()).toEqual(before);
      expect(new Set(before)).toEqual(new Set(ids));
    });

    it('a group never sees a chunk of another group', async () => {
      const [one, other] = [await library(['La turbina gira.']), await library(['La turbina gira.'])];
      await finds(one.groupId, 'turbin', one.ids);
      await finds(other.groupId, 'turbin', other.ids);
    });

    it('a later description alone moves the copies of a hand-over', async () => {
      const groupId = randomUUID();
      const fact = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await describeDocument(groupId, { ...described({ ...fact, entityCode: 'E2' }), revision: 2 });
      await retrieval.work(groupId, 'copy');
      await finds(groupId, 'turbin', [fact.documentId], { claims: { entities: ['E2'] } });
      expect(await rank(groupId, 'turbin', { claims: { entities: ['E1'] } })).toEqual([]);
    });
  });
