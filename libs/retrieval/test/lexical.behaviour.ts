import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type DocumentDescribed, type SearchRequest, ScopeClaims } from '@acervo/contracts';
import { visibilityOf } from '@acervo/rbac';
import type { RankedChunk } from '../src/legs/ranking';
import { announce, described, type Given, handOver, prepare, userScope, withdraw, workScope } from './documents';
import type { Retrieval } from './support';

/** How long a fact may take until searches know of it. */
const KNOWN_AFTER_MS = 2_000;

/** What every lexical index does, whatever engine it stands on. */
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
      const space = await retrieval.database.read({ groupId }, (tx) => retrieval.spaces.live(tx));
      if (space === undefined) throw new Error('The group has no space.');
      const visibility = visibilityOf(userScope(groupId, claims), narrowed);
      return retrieval.lexical.rank({ visibility, space, depth }, terms);
    };

    /** Asks again until the answer is right, or the time for it is up; then it is asked once more. */
    const soon = async (ask: () => Promise<void>): Promise<void> => {
      for (const until = Date.now() + KNOWN_AFTER_MS; Date.now() < until; await pause(50))
        try {
          return await ask();
        } catch {
          // Not known yet.
        }
      await ask();
    };

    const finds = (groupId: string, terms: string, documents: readonly string[], asked?: Asked): Promise<void> =>
      soon(async () => {
        const ranked = await rank(groupId, terms, asked);
        expect([...new Set(ranked.map(({ documentId }) => documentId))]).toEqual(documents);
      });

    const tell = (groupId: string, fact: DocumentDescribed): Promise<void> =>
      retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, fact));

    /** Hands documents over in one group of their own. */
    const library = async (...texts: (readonly string[])[]): Promise<{ groupId: string; ids: string[] }> => {
      const groupId = randomUUID();
      const ids: string[] = [];
      for (const each of texts) ids.push((await handOver(retrieval, { groupId, texts: each })).documentId);
      return { groupId, ids };
    };

    it('finds what was handed over within two seconds', async () => {
      const { groupId, ids } = await library(['La turbina gira.'], ['El pozo se limpia.']);
      await finds(groupId, 'turbin', [ids[0] ?? '']);
      await finds(groupId, 'poz', [ids[1] ?? '']);
    });

    it('finds nothing for words that no chunk holds, and nothing for no words', async () => {
      const { groupId, ids } = await library(['La turbina gira.']);
      await finds(groupId, 'turbin', ids);
      expect(await rank(groupId, 'inexistente')).toEqual([]);
      expect(await rank(groupId, '')).toEqual([]);
    });

    it('ranks first what holds the rarer word, and what says a word more often', async () => {
      const { groupId, ids } = await library(['agua agua pozo'], ['agua luz'], ['agua agua agua'], ['agua gas nube']);
      await finds(
        groupId,
        'agu luz',
        [1, 2, 0, 3].map((index) => ids[index] ?? ''),
      );
    });

    it('counts a word of the query as often as it stands there', async () => {
      const { groupId, ids } = await library(['luz nube'], ['gas nube']);
      const [luz = '', gas = ''] = ids;
      await finds(groupId, 'luz gas gas', [gas, luz]);
      await finds(groupId, 'luz luz gas', [luz, gas]);
    });

    it('reads as deep as it is asked, each chunk once', async () => {
      const { groupId } = await library(Array.from({ length: 30 }, (_, index) => `Párrafo ${index} sobre turbinas.`));
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(30));
      const ranked = await rank(groupId, 'turbin', { depth: 12 });
      expect(new Set(ranked.map(({ ordinal }) => ordinal)).size).toBe(12);
    });

    it('shows of a group of any size what a caller may see, however little of it', async () => {
      const groupId = randomUUID();
      const texts = Array.from({ length: 40 }, () => 'turbina');
      await handOver(retrieval, { groupId, texts, entityCode: 'E2' });
      const { documentId } = await handOver(retrieval, { groupId, texts: ['Una turbina entre muchas otras cosas.'] });
      await finds(groupId, 'turbin', [documentId], { claims: { entities: ['E1'] }, depth: 5 });
    });

    it.each<[string, Partial<Given>, Asked]>([
      ['entity', { entityCode: 'E2' }, { claims: { entities: ['E1'] } }],
      ['area', { locationAncestors: ['L2', 'ROOT'] }, { claims: { locationRoots: ['L1'] } }],
      ['folder', { locationAncestors: ['L2', 'ROOT'] }, { narrowed: { locationCode: 'L1' } }],
    ])('keeps to the %s of a caller', async (_kind, hidden, asked) => {
      const { groupId, ids } = await library(['La turbina gira.']);
      const { documentId } = await handOver(retrieval, { groupId, texts: ['Otra turbina.'], ...hidden });
      await soon(async () => expect(await rank(groupId, 'turbin')).toHaveLength(2));
      await finds(groupId, 'turbin', ids, asked);
      expect((await rank(groupId, 'otr turbin', asked)).some((hit) => hit.documentId === documentId)).toBe(false);
    });

    it('follows a document that moves, without reading or embedding it again', async () => {
      const groupId = randomUUID();
      const fact = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await finds(groupId, 'turbin', [fact.documentId], { claims: { locationRoots: ['L1'] } });
      await retrieval.objects.delete({ groupId }, fact.chunksObject);
      await tell(groupId, { ...fact, revision: 2, locationCode: 'L9', locationAncestors: ['L9', 'ROOT'] });
      expect(await rank(groupId, 'turbin', { claims: { locationRoots: ['L1'] } })).toEqual([]);
      await retrieval.work(groupId, 'copy');
      await finds(groupId, 'turbin', [fact.documentId], { claims: { locationRoots: ['L9'] } });
    });

    it('follows a document that moves while it is loaded', async () => {
      const groupId = randomUUID();
      const fact = await prepare(retrieval, { groupId, texts: ['La turbina gira.'] });
      await announce(retrieval, groupId, fact);
      await tell(groupId, { ...fact, revision: 2, locationAncestors: ['L9', 'ROOT'] });
      await retrieval.work(groupId, 'index');
      await retrieval.work(groupId, 'copy');
      await finds(groupId, 'turbin', [fact.documentId], { claims: { locationRoots: ['L9'] } });
    });

    it('forgets a withdrawn document at once, and nothing older brings it back', async () => {
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

    it('takes a document back that a later fact brings', async () => {
      const { groupId, ids } = await library(['La turbina gira.']);
      const [documentId = ''] = ids;
      await withdraw(retrieval, groupId, documentId, 2);
      await retrieval.work(groupId, 'purge');
      await handOver(retrieval, { groupId, documentId, texts: ['La turbina gira.'], revision: 3 });
      await finds(groupId, 'turbin', [documentId]);
    });

    it('goes from one generation to the next without a gap, and shows no chunk of the earlier one', async () => {
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

    it('ranks the documents of a group the same, whatever other groups hold', async () => {
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

    it('never shows one group a chunk of another', async () => {
      const [one, other] = [await library(['La turbina gira.']), await library(['La turbina gira.'])];
      await finds(one.groupId, 'turbin', one.ids);
      await finds(other.groupId, 'turbin', other.ids);
    });

    it('takes the hand-over of a moved description into account, with the description alone', async () => {
      const groupId = randomUUID();
      const fact = await handOver(retrieval, { groupId, texts: ['La turbina gira.'] });
      await tell(groupId, { ...described({ ...fact, entityCode: 'E2' }), revision: 2 });
      await retrieval.work(groupId, 'copy');
      await finds(groupId, 'turbin', [fact.documentId], { claims: { entities: ['E2'] } });
      expect(await rank(groupId, 'turbin', { claims: { entities: ['E1'] } })).toEqual([]);
    });
  });
