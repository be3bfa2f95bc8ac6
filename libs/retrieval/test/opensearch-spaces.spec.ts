import { randomUUID } from 'node:crypto';
import type { Logger } from '@acervo/platform-observability';
import { visibilityOf } from '@acervo/rbac';
import type { OpenSearchCopies } from '../src/legs/opensearch/copies/open-search-copies';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import type { Clause } from '../src/legs/opensearch/lexical-query';
import {
  type FewMembers,
  fewMembersStatement,
  type MemberFilter,
  memberFilterStatement,
} from '../src/legs/opensearch/member-filter';
import type { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { OpenSearchIndex } from '../src/legs/opensearch/open-search-index';
import type { LegQuery } from '../src/legs/ranking';
import { handOver, userScope, withdraw } from './documents';
import { keepSpace } from './stored-spaces';
import { openRetrieval, type Retrieval } from './support';

const groupId: string = randomUUID();
const ids: string[] = [];
/** A document of another group. */
let stranger = '';
let retrieval: Retrieval;
let embeddingIndex: LiveEmbeddingIndex;

beforeAll(async () => {
  retrieval = await openRetrieval();
  for (let n = 0; n < 6; n += 1)
    ids.push((await handOver(retrieval, { groupId, texts: [`La turbina ${n}.`] })).documentId);
  const live = await retrieval.database.read({ groupId }, (tx) => retrieval.embeddingIndexes.live(tx));
  if (live === undefined) throw new Error('The group has no embedding index.');
  embeddingIndex = live;
  stranger = (await handOver(retrieval, { groupId: randomUUID(), texts: ['Otra turbina.'] })).documentId;
  await keepSpace(retrieval, { groupId, spaceId: 1, members: [...idsAt(0, 1), stranger] });
  await keepSpace(retrieval, { groupId, spaceId: 2, members: idsAt(0, 1, 2, 3, 4) });
  await keepSpace(retrieval, { groupId, spaceId: 3, members: [] });
  await keepSpace(retrieval, { groupId, spaceId: 4, members: ids });
});
afterAll(() => retrieval.close());

const idsAt = (...places: readonly number[]): string[] => places.map((place) => ids[place] ?? '');
/** A query of a search that counted few chunks. */
const queryOf = (spaceId: number, depth = 50): LegQuery => ({
  visibility: { ...visibilityOf(userScope(groupId)), space: { spaceId, version: 1 } },
  ...{ embeddingIndex, depth, admitted: 6 },
});
/** A query of a search that admits many documents. */
const largeQueryOf = (spaceId: number, depth = 200): LegQuery => ({ ...queryOf(spaceId, depth), admitted: undefined });
const filterOf = async (spaceId: number, bounds: { most: number; few: number }): Promise<unknown> => {
  const query = queryOf(spaceId);
  const { sql, params } = memberFilterStatement(query, { spaceId, version: 1 }, bounds);
  const [filter] = await retrieval.database.read({ groupId }, (tx) => tx.query<MemberFilter>(sql, params));
  return filter && { ...filter, ids: filter.ids.toSorted() };
};

describe('the documents that a query of OpenSearch names for a small space', () => {
  const fewOf = async (spaceId: number, few: number, over: Partial<LegQuery['visibility']> = {}) => {
    const query = queryOf(spaceId);
    const visibility = { ...query.visibility, ...over };
    const { sql, params } = fewMembersStatement({ ...query, visibility }, { spaceId, version: 1 }, few);
    const [row] = await retrieval.database.read({ groupId }, (tx) => tx.query<FewMembers>(sql, params));
    return row?.ids?.toSorted() ?? null;
  };

  it.each<[string, number, number, readonly number[] | null]>([
    ['members that the caller may find', 1, 3, [0, 1]],
    ['every document', 4, 6, [0, 1, 2, 3, 4, 5]],
    ['no member', 3, 0, []],
    ['none where more are stored', 1, 2, null],
  ])('%s', async (_what, spaceId, few, named) => {
    expect(await fewOf(spaceId, few)).toEqual(named && idsAt(...named).toSorted());
  });

  it('members that the caller does not see are not named', async () => {
    expect(await fewOf(2, 10, { entities: ['E9'] })).toEqual([]);
    expect(await fewOf(2, 10, { locationRoots: ['L9'] })).toEqual([]);
  });
});

describe('the documents that a query of OpenSearch names for a large space', () => {
  it.each<[string, number, { most: number; few: number }, MemberFilter['kind'], readonly number[]]>([
    ['few members', 2, { most: 100, few: 5 }, 'members', [0, 1, 2, 3, 4]],
    ['fewer members than other documents', 1, { most: 100, few: 0 }, 'members', [0, 1]],
    ['fewer other documents than members', 2, { most: 100, few: 0 }, 'others', [5]],
    ['every document', 4, { most: 100, few: 0 }, 'others', []],
    ['no member', 3, { most: 100, few: 0 }, 'members', []],
    ['too many members and few other documents', 2, { most: 3, few: 0 }, 'others', [5]],
    ['too many other documents and few members', 1, { most: 3, few: 0 }, 'members', [0, 1]],
    ['too many of both', 1, { most: 1, few: 0 }, null, []],
  ])('%s', async (_what, spaceId, bounds, kind, named) => {
    // Members are named as they are stored; the one of another group is in no index of this one.
    const stored = [...idsAt(...named), ...(spaceId === 1 && kind === 'members' ? [stranger] : [])];
    expect(await filterOf(spaceId, bounds)).toEqual({ kind, ids: stored.toSorted() });
  });
});

it('other documents are read as far as there are members', async () => {
  const { sql, params } = memberFilterStatement(queryOf(1), { spaceId: 1, version: 1 }, { most: 100, few: 0 });
  const explained = `explain (analyze, costs off, timing off, summary off) ${sql}`;
  const lines = await retrieval.database.read({ groupId }, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(explained, params),
  );
  const shown = lines.map((line) => line['QUERY PLAN']).join('\n');
  // Four documents are none of the three stored members.
  expect(/CTE other\n +-> +Limit \(actual rows=(\d+)/.exec(shown)?.[1]).toBe('3');
});

interface Asked {
  readonly filter: readonly Clause[];
  readonly size: number;
}

/** An engine that finds every chunk, whatever it is asked. */
const indexOn = (asked: Asked[], chunks = 1, few?: number): OpenSearchIndex => {
  const places = Array.from({ length: chunks }, (_, ordinal) =>
    ids.map((documentId) => ({ documentId, ordinal, generation: 1, score: 1 })),
  ).flat();
  const engine = {
    search: (_scope: unknown, _should: unknown, filter: readonly Clause[], size: number) => {
      asked.push({ filter, size });
      return Promise.resolve(places.slice(0, size));
    },
  } as unknown as OpenSearchEngine;
  return new OpenSearchIndex(engine, retrieval.database, {} as OpenSearchCopies, {} as Logger, few);
};

describe('a ranking of OpenSearch within a space', () => {
  /** The queries by size, with the number of their clauses. */
  const sizesOf = (asked: readonly Asked[]): number[][] => asked.map(({ size, filter }) => [size, filter.length]);

  it('the query names the members, and the database drops every other hit', async () => {
    const asked: Asked[] = [];
    const ranked = await indexOn(asked).rank(queryOf(1), 'turbin');
    expect(ranked.map(({ documentId }) => documentId)).toEqual(idsAt(0, 1));
    expect(asked).toHaveLength(1);
    const [, within] = asked[0]?.filter ?? [];
    const named = within as { bool: { should: { terms: { document_id: string[] } }[] } };
    expect(named.bool.should.flatMap(({ terms }) => terms.document_id).toSorted()).toEqual(idsAt(0, 1).toSorted());
  });

  it('a space without members asks for nothing and finds nothing', async () => {
    const asked: Asked[] = [];
    expect(await indexOn(asked).rank(queryOf(3), 'turbin')).toEqual([]);
    expect(asked[0]?.filter[1]).toEqual({ match_none: {} });
  });

  it('where hits lie outside of the space, the engine is read deeper', async () => {
    const asked: Asked[] = [];
    const ranked = await indexOn(asked, 200).rank(queryOf(1, 200), 'turbin');
    expect(asked.map(({ size }) => size)).toEqual([200, 800]);
    expect(ranked).toHaveLength(200);
  });

  it('a space of most documents is read a little deeper, and names none', async () => {
    const asked: Asked[] = [];
    const ranked = await indexOn(asked, 500, 1).rank(largeQueryOf(2), 'turbin');
    expect(ranked).toHaveLength(200);
    expect(new Set(ranked.map(({ documentId }) => documentId))).toEqual(new Set(idsAt(0, 1, 2, 3, 4)));
    expect(sizesOf(asked)).toEqual([[250, 1]]);
  });

  it('a space of half of the documents is read again, as deep as it takes', async () => {
    await keepSpace(retrieval, { groupId, spaceId: 5, members: idsAt(0, 2, 4) });
    const asked: Asked[] = [];
    const ranked = await indexOn(asked, 500, 1).rank(largeQueryOf(5), 'turbin');
    expect(new Set(ranked.map(({ documentId }) => documentId))).toEqual(new Set(idsAt(0, 2, 4)));
    expect(ranked).toHaveLength(200);
    expect(sizesOf(asked)).toEqual([
      [250, 1],
      [500, 1],
    ]);
  });

  it('where less than half of the best are members, the members are named', async () => {
    const asked: Asked[] = [];
    const ranked = await indexOn(asked, 500, 1).rank(largeQueryOf(1), 'turbin');
    expect(ranked).toHaveLength(200);
    expect(sizesOf(asked)).toEqual([
      [250, 1],
      [200, 2],
      [800, 2],
    ]);
  });

  it('among many documents, few members are named', async () => {
    const asked: Asked[] = [];
    expect(await indexOn(asked, 500).rank(largeQueryOf(1), 'turbin')).toHaveLength(200);
    expect(sizesOf(asked)).toEqual([
      [250, 1],
      [200, 2],
      [800, 2],
    ]);
    expect(JSON.stringify(asked[1]?.filter)).not.toContain(stranger);
  });

  it('a reading that ends before its size is complete', async () => {
    const asked: Asked[] = [];
    expect(await indexOn(asked, 2, 1).rank(largeQueryOf(1), 'turbin')).toHaveLength(4);
    expect(sizesOf(asked)).toEqual([[250, 1]]);
  });

  it('no read is deeper than the engine allows', async () => {
    const asked: Asked[] = [];
    await indexOn(asked, 2_000).rank(queryOf(4, 20_000), 'turbin');
    expect(asked.map(({ size }) => size)).toEqual([10_000]);
  });

  it('a withdrawn member is dropped although the engine still finds it', async () => {
    const [gone = ''] = idsAt(1);
    await withdraw(retrieval, groupId, gone, 9);
    const ranked = await indexOn([]).rank(queryOf(1), 'turbin');
    expect(ranked.map(({ documentId }) => documentId)).toEqual(idsAt(0));
  });
});
