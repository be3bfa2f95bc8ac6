import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type DocumentDescribed, type SearchFilter, type SearchRequest, ScopeClaims } from '@acervo/contracts';
import { visibilityOf } from '@acervo/rbac';
import type { RankedChunk } from '../src/legs/ranking';
import { searchedDocuments } from '../src/legs/searched-documents';
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
import { keepSpace } from './stored-spaces';
import type { Retrieval } from './support';

/** How long an event may take until searches know of it. */
const KNOWN_AFTER_MS = 2_000;

/** The behaviour of every lexical index, in any engine. */
export const behavesLikeALexicalIndex = (name: string, open: () => Promise<Retrieval>): void =>
  describe(`the lexical index on ${name}`, () => {
    let retrieval: Retrieval;
    beforeAll(async () => {
      retrieval = await open();
    });
    afterAll(() => retrieval.close());

    interface Asked {
      readonly claims?: Partial<ScopeClaims>;
      readonly narrowed?: Partial<Pick<SearchRequest, 'locationCode'>>;
      readonly filter?: SearchFilter;
      /** The number of a space. */
      readonly spaceId?: number;
      /** A version of the space, the first by default; null for the one that is read. */
      readonly version?: number | null;
      readonly depth?: number;
    }

    const rank = async (
      groupId: string,
      terms: string,
      { claims, narrowed = {}, filter, spaceId, version = 1, depth = 200 }: Asked = {},
    ): Promise<readonly RankedChunk[]> => {
      const embeddingIndex = await retrieval.database.read({ groupId }, (tx) => retrieval.embeddingIndexes.live(tx));
      if (embeddingIndex === undefined) throw new Error('The group has no embedding index.');
      const searched = searchedDocuments(visibilityOf(userScope(groupId, claims), narrowed), filter);
      const space = spaceId === undefined ? undefined : version === null ? { spaceId, version } : { spaceId, version };
      const visibility = space === undefined ? searched : { ...searched, space };
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
      await finds(groupId, 'poc', [ids[1] ?? '']);
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
        'agu luc',
        [1, 2, 0, 3].map((index) => ids[index] ?? ''),
      );
    });

    it('a word counts as often as the query repeats it', async () => {
      const { groupId, ids } = await library(['luz nube'], ['gas nube']);
      const [luz = '', gas = ''] = ids;
      await finds(groupId, 'luc gas gas', [gas, luz]);
      await finds(groupId, 'luc luc gas', [luz, gas]);
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

    it.each<[string, SearchFilter, readonly number[]]>([
      ['a type', { documentTypes: ['LEASE'] }, [0]],
      ['the types below a type', { documentTypes: ['CONTRACT'] }, [0, 1]],
      ['any of several types', { documentTypes: ['LEASE', 'INVOICE'] }, [0, 2]],
      ['an attribute', { attributes: ['AMOUNT', 'ABSENT'] }, [1, 2]],
      ['a characteristic', { characteristics: ['SIGNED'] }, [0, 2]],
      ['a type and a characteristic', { documentTypes: ['CONTRACT'], characteristics: ['SIGNED'] }, [0]],
      ['an unknown type', { documentTypes: ['ABSENT'] }, []],
      ['a type under the kind of another code', { attributes: ['LEASE'], characteristics: ['AMOUNT'] }, []],
    ])('hits stay within %s', async (_kind, filter, expected) => {
      const groupId = randomUUID();
      const carried = [
        { typeCodes: ['CONTRACT', 'LEASE'], characteristics: ['SIGNED'] },
        { typeCodes: ['CONTRACT', 'SALE'], attributes: ['AMOUNT'] },
        { typeCodes: ['INVOICE'], attributes: ['AMOUNT', 'DATE'], characteristics: ['SIGNED', 'PAID'] },
        {},
      ];
      const ids: string[] = [];
      for (const codes of carried)
        ids.push((await handOver(retrieval, { groupId, texts: ['La turbina gira.'], ...codes })).documentId);
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(4));
      const found = (await rank(groupId, 'turbin', { filter })).map(({ documentId }) => ids.indexOf(documentId));
      expect(found.toSorted()).toEqual(expected);
    });

    it('a filter that admits one document of many finds it beyond the depth', async () => {
      const groupId = randomUUID();
      await handOver(retrieval, { groupId, texts: Array.from({ length: 40 }, () => 'turbina') });
      const texts = ['Una turbina entre muchas otras cosas.'];
      const { documentId } = await handOver(retrieval, { groupId, texts, typeCodes: ['REPORT'] });
      await finds(groupId, 'turbin', [documentId], { filter: { documentTypes: ['REPORT'] }, depth: 5 });
    });

    it.each<[string, readonly number[]]>([
      ['few documents', [2]],
      ['all documents but one', [0, 1, 2, 3]],
      ['every document', [0, 1, 2, 3, 4]],
      ['no document', []],
    ])('hits stay within a space of %s', async (_what, members) => {
      const { groupId, ids } = await library(...Array.from({ length: 5 }, () => ['La turbina gira.', 'Otra turbina.']));
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(10));
      const named = members.map((index) => ids[index] ?? '');
      await keepSpace(retrieval, { groupId, spaceId: 1, members: named });
      const ranked = await rank(groupId, 'turbin', { spaceId: 1 });
      expect(ranked).toHaveLength(2 * members.length);
      expect([...new Set(ranked.map(({ documentId }) => documentId))].toSorted()).toEqual(named.toSorted());
      expect(await rank(groupId, 'turbin', { spaceId: 1, claims: { entities: ['E2'] } })).toEqual([]);
    });

    it('a space keeps the order of its hits and finds them beyond the depth', async () => {
      const { groupId, ids } = await library(
        Array.from({ length: 40 }, () => 'turbina'),
        ['Una turbina entre muchas otras cosas.'],
        ['Una turbina.'],
      );
      const [, last = '', first = ''] = ids;
      await keepSpace(retrieval, { groupId, spaceId: 1, members: [last, first] });
      await finds(groupId, 'turbin', [first, last], { spaceId: 1, depth: 5 });
    });

    it('members that move out of sight, are withdrawn or change leave at once', async () => {
      const groupId = randomUUID();
      const facts = [];
      for (let turn = 0; turn < 3; turn += 1)
        facts.push(await handOver(retrieval, { groupId, texts: ['La turbina.'] }));
      const [moves, goes, stays] = facts.map(({ documentId }) => documentId) as [string, string, string];
      await keepSpace(retrieval, { groupId, spaceId: 1, members: [moves, goes, stays] });
      await soon(async () => expect(await rank(groupId, 'turbin', { spaceId: 1 })).toHaveLength(3));
      await describeDocument(groupId, { ...described({ ...facts[0], entityCode: 'E2' }), revision: 2 });
      await withdraw(retrieval, groupId, goes, 2);
      const seen = { spaceId: 1, claims: { entities: ['E1'] } };
      expect((await rank(groupId, 'turbin', seen)).map(({ documentId }) => documentId)).toEqual([stays]);
    });

    it('a member that a refresh leaves out is found at the version before only', async () => {
      const { groupId, ids } = await library(['La turbina gira.'], ['Otra turbina.'], ['Una turbina más.']);
      const [leaves = '', stays = '', comes = ''] = ids;
      const space = { groupId, spaceId: 1 };
      await keepSpace(retrieval, { ...space, members: [leaves, stays] });
      await keepSpace(retrieval, { ...space, members: [stays, comes], version: 2 });
      const found = async (version: number | null): Promise<string[]> =>
        (await rank(groupId, 'turbin', { spaceId: 1, version })).map(({ documentId }) => documentId).toSorted();
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(3));
      expect(await found(1)).toEqual([leaves, stays].toSorted());
      expect(await found(2)).toEqual([stays, comes].toSorted());
      expect(await found(null)).toEqual([stays, comes].toSorted());
      expect(await found(3)).toEqual([]);
    });

    it('a filter and a space narrow together, in any order of sizes', async () => {
      const groupId = randomUUID();
      const ids: string[] = [];
      for (const typeCodes of [['LEASE'], ['LEASE'], [], []])
        ids.push((await handOver(retrieval, { groupId, texts: ['La turbina gira.'], typeCodes })).documentId);
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(4));
      const filter = { documentTypes: ['LEASE'] };
      const found = async (members: readonly number[], version: number): Promise<number[]> => {
        const named = members.map((index) => ids[index] ?? '');
        await keepSpace(retrieval, { groupId, spaceId: 1, members: named, version });
        const ranked = await rank(groupId, 'turbin', { spaceId: 1, version, filter });
        return ranked.map(({ documentId }) => ids.indexOf(documentId)).toSorted();
      };
      expect(await found([1], 1)).toEqual([1]);
      expect(await found([1, 2, 3], 2)).toEqual([1]);
      expect(await found([2, 3], 3)).toEqual([]);
      expect(await found([0, 1, 2, 3], 4)).toEqual([0, 1]);
    });

    it('a space with the number of another group’s never shows its members', async () => {
      const [one, other] = [await library(['La turbina gira.']), await library(['La turbina gira.'])];
      await keepSpace(retrieval, { groupId: one.groupId, spaceId: 1, members: [...one.ids, ...other.ids] });
      await keepSpace(retrieval, { groupId: other.groupId, spaceId: 1, members: [] });
      await finds(one.groupId, 'turbin', one.ids, { spaceId: 1 });
      await finds(other.groupId, 'turbin', other.ids);
      expect(await rank(other.groupId, 'turbin', { spaceId: 1 })).toEqual([]);
    });

    it('changed codes are found without reading or embedding the document again', async () => {
      const groupId = randomUUID();
      const fact = await handOver(retrieval, { groupId, texts: ['La turbina gira.'], typeCodes: ['INVOICE'] });
      await finds(groupId, 'turbin', [fact.documentId], { filter: { documentTypes: ['INVOICE'] } });
      await retrieval.objects.delete({ groupId }, fact.chunksObject);
      await describeDocument(groupId, { ...fact, revision: 2, typeCodes: ['CONTRACT'], attributes: ['AMOUNT'] });
      expect(await rank(groupId, 'turbin', { filter: { documentTypes: ['INVOICE'] } })).toEqual([]);
      expect(await retrieval.work(groupId, 'index')).toBe(0);
      await retrieval.work(groupId, 'copy');
      const filter = { documentTypes: ['CONTRACT'], attributes: ['AMOUNT'] };
      await finds(groupId, 'turbin', [fact.documentId], { filter });
    });

    it('two groups with the same codes never share hits or scores', async () => {
      const filter = { documentTypes: ['CONTRACT'] };
      const [groupId, other] = [randomUUID(), randomUUID()];
      const texts = ['agua agua pozo', 'agua luz', 'luz luz pozo'];
      const ids: string[] = [];
      for (const text of texts)
        ids.push((await handOver(retrieval, { groupId, texts: [text], typeCodes: ['CONTRACT'] })).documentId);
      const named = async (): Promise<string[]> =>
        (await rank(groupId, 'agu luc poc', { filter })).map(({ documentId }) => documentId);
      await soon(async () => expect(await named()).toHaveLength(3));
      const before = await named();
      for (let turn = 0; turn < 6; turn += 1)
        await handOver(retrieval, { groupId: other, texts: ['agua agua agua', 'pozo'], typeCodes: ['CONTRACT'] });
      await soon(async () => expect(await rank(other, 'agu', { filter })).toHaveLength(6));
      expect(await named()).toEqual(before);
      expect(new Set(before)).toEqual(new Set(ids));
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
      expect(await rank(groupId, 'turbin poc')).toEqual([]);
      await retrieval.work(groupId, 'purge');
      await finds(groupId, 'gir', [documentId]);
      expect(await rank(groupId, 'turbin poc')).toEqual([]);
    });

    it('documents of other groups never change the ranking of a group', async () => {
      const texts = [['agua agua pozo'], ['agua luz'], ['luz luz pozo'], ['agua pozo luz gas']];
      const { groupId, ids } = await library(...texts);
      const named = async (): Promise<string[]> =>
        (await rank(groupId, 'agu luc poc')).map(({ documentId }) => documentId);
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
