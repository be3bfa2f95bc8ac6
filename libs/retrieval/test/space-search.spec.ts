import { randomUUID } from 'node:crypto';
import { NotFound, type ScopeClaims, type SearchRequest } from '@acervo/contracts';
import { Database, type LocalSettings, ownerRole } from '@acervo/platform-database';
import { visibilityOf } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import {
  admittedStatement,
  lexicalStatement,
  type LegStatement,
  nearestStatement,
  scoredStatement,
  vectorStatement,
} from '../src/legs/leg-sql';
import { LexicalIndex, type LegQuery, type RankedChunk, type RankedVector, VectorIndex } from '../src/legs/ranking';
import type { SearchedDocuments } from '../src/legs/searched-documents';
import { AdmissionStore } from '../src/search/admission.store';
import { HydrationStore } from '../src/search/hydration.store';
import { handOver, userScope, withdraw, workScope } from './documents';
import { keepSpace, OWNER } from './stored-spaces';
import { openRetrieval, type Retrieval } from './support';

const [ours, theirs]: [string, string] = [randomUUID(), randomUUID()];
/** Documents by name, with the number of their chunks. */
const DOCUMENTS = { one: 3, two: 1, three: 2, four: 1, hidden: 1, withdrawn: 1 } as const;
type Name = keyof typeof DOCUMENTS;
const ids = new Map<string, string>();
const idsOf = (...names: readonly string[]): string[] => names.map((name) => ids.get(name) ?? '');
const namesIn = (rows: readonly { readonly documentId: string }[]): (string | undefined)[] =>
  [...new Set(rows.map(({ documentId }) => [...ids].find(([, id]) => id === documentId)?.[0]))].toSorted();

const PAIR = 1;
const EMPTY = 2;
const BEYOND = 3;
const THEIRS = 4;
let retrieval: Retrieval;
let index: LiveEmbeddingIndex;
let vector: Float32Array;

const textsOf = (name: string, chunks: number): string[] =>
  Array.from({ length: chunks }, (_, ordinal) => `El agua de ${name} número ${ordinal}.`);
const keep = (spaceId: number, ...names: readonly string[]): Promise<void> =>
  keepSpace(retrieval, { groupId: ours, spaceId, members: idsOf(...names) });

beforeAll(async () => {
  retrieval = await openRetrieval();
  for (const [name, chunks] of Object.entries(DOCUMENTS)) {
    const entityCode = name === 'hidden' ? 'E9' : 'E1';
    const fact = await handOver(retrieval, { groupId: ours, code: name, texts: textsOf(name, chunks), entityCode });
    ids.set(name, fact.documentId);
  }
  await withdraw(retrieval, ours, ids.get('withdrawn') ?? '', 2);
  const { documentId } = await handOver(retrieval, { groupId: theirs, code: 'one', texts: textsOf('one', 2) });
  ids.set('theirs', documentId);
  await keep(PAIR, 'one', 'three');
  await keep(EMPTY);
  await keep(BEYOND, 'two', 'hidden', 'withdrawn', 'theirs');
  await keepSpace(retrieval, { groupId: theirs, spaceId: THEIRS, members: [documentId] });
  await keepSpace(retrieval, { groupId: theirs, spaceId: PAIR, members: [documentId] });
  [vector = new Float32Array()] = await retrieval.embedder.embed(['agua']);
  const live = await retrieval.database.read({ groupId: ours }, (tx) => retrieval.embeddingIndexes.live(tx));
  if (live === undefined) throw new Error('The group has no embedding index.');
  index = live;
});
afterAll(() => retrieval.close());

const within = (spaceId: number, version: number | null = 1, groupId = ours): SearchedDocuments => ({
  ...visibilityOf(userScope(groupId)),
  space: version === null ? { spaceId, version } : { spaceId, version },
});
const queryOf = (spaceId: number, groupId = ours): LegQuery => ({
  ...{ visibility: within(spaceId, 1, groupId), embeddingIndex: index, depth: 50 },
});
const run = <R extends object = RankedChunk>(
  { sql, params, local }: Omit<LegStatement, 'local'> & Partial<LegStatement>,
  database: Database = retrieval.database,
  groupId = ours,
) => database.read({ groupId }, (tx) => tx.query<R>(sql, params), local satisfies LocalSettings | undefined);
const requestOf = (spaceId: number, over: Partial<SearchRequest> = {}): SearchRequest => ({
  ...{ query: 'agua', limit: 10, minSimilarity: 0, spaceId },
  ...over,
});
const codesOf = async (
  spaceId: number,
  {
    claims = {},
    groupId = ours,
    ...over
  }: Partial<SearchRequest> & {
    readonly claims?: Partial<ScopeClaims>;
    readonly groupId?: string;
  } = {},
): Promise<string[]> => {
  const { documents } = await retrieval.searchWith().search(userScope(groupId, claims), requestOf(spaceId, over));
  return documents.map(({ code }) => code).toSorted();
};

const legs: readonly [string, (query: LegQuery) => LegStatement][] = [
  ['lexical', (query) => lexicalStatement(query, 'agu')],
  ['scored lexical', (query) => scoredStatement(query, 'agu')],
  ['exact vector', (query) => vectorStatement(query, vector, true)],
  ['graph vector', (query) => vectorStatement(query, vector, false)],
  ['nearest vector', (query) => nearestStatement(query, vector)],
];

const spaces: readonly [string, number, readonly Name[]][] = [
  ['two documents', PAIR, ['one', 'three']],
  ['no documents', EMPTY, []],
  ['documents that its reader does not see', BEYOND, ['two']],
];

describe.each(spaces)('within a space of %s', (_what, spaceId, members) => {
  const chunks = members.reduce((sum, name) => sum + DOCUMENTS[name], 0);

  it.each(legs)('the %s leg ranks exactly the chunks of its members', async (_leg, statement) => {
    const rows = await run(statement(queryOf(spaceId)));
    expect(namesIn(rows)).toEqual(members);
    expect(rows).toHaveLength(chunks);
  });

  it('its chunks are counted, at a version and at the present one', async () => {
    expect(await run<{ chunks: number }>(admittedStatement(queryOf(spaceId)))).toEqual([{ chunks }]);
    for (const version of [1, null])
      expect(
        await retrieval.database.read({ groupId: ours }, (tx) => new AdmissionStore().of(tx, within(spaceId, version))),
      ).toEqual({ isAny: members.length > 0, chunks });
  });

  it('hits are confirmed and named as its members', async () => {
    const store = new HydrationStore();
    const hits = [...ids.values()].map((documentId) => ({ documentId, ordinal: 0 }));
    await retrieval.database.read({ groupId: ours }, async (tx) => {
      expect(namesIn(await store.hydrate(tx, within(spaceId), index, hits))).toEqual(members);
      const named = await store.names(tx, within(spaceId), [...ids.values()], [...ids.keys()]);
      expect(named.map(({ code }) => code).toSorted()).toEqual(members);
    });
  });

  it('search, passages and explanation keep to it', async () => {
    const [scope, request] = [userScope(ours), requestOf(spaceId)];
    expect(await codesOf(spaceId)).toEqual(members);
    const inFull = await retrieval.searchWith().passages(scope, request);
    expect(inFull.documents.map(({ code }) => code).toSorted()).toEqual(members);
    const { documents } = await retrieval.explainWith().explain(scope, { ...request, documentCodes: [...ids.keys()] });
    expect(documents.map(({ code }) => code).toSorted()).toEqual(members);
  });
});

/** Ranks every document whatever the space, as an engine does whose filter is behind. */
const everything = (): RankedVector[] =>
  [...ids.values()].map((documentId) => ({ documentId, ordinal: 0, cosine: 0.9 }));
class StaleLexicalIndex extends LexicalIndex {
  readonly engine = 'stale';
  rank(): Promise<readonly RankedChunk[]> {
    return Promise.resolve(everything());
  }
}
class StaleVectorIndex extends VectorIndex {
  readonly engine = 'stale';
  rank(): Promise<readonly RankedVector[]> {
    return Promise.resolve(everything());
  }
}

describe('a search within a space', () => {
  it('hits of engines outside the space are dropped', async () => {
    const stale = { lexical: new StaleLexicalIndex(), vector: new StaleVectorIndex() };
    const found = await retrieval.searchWith(stale).search(userScope(ours), requestOf(PAIR));
    expect(found.documents.map(({ code }) => code).toSorted()).toEqual(['one', 'three']);
    const explained = await retrieval.explainWith(stale).explain(userScope(ours), requestOf(PAIR));
    expect(explained.documents.map(({ code }) => code).toSorted()).toEqual(['one', 'three']);
  });

  it('no search takes more transactions for its space', async () => {
    const spies = (['read', 'readAtOnce', 'write'] as const).map((way) => jest.spyOn(Database.prototype, way));
    const taken = async (spaceId: number | undefined): Promise<number> => {
      for (const spy of spies) spy.mockClear();
      const request = { query: 'agua', limit: 10, minSimilarity: 0, ...(spaceId === undefined ? {} : { spaceId }) };
      await retrieval.searchWith().search(userScope(ours), request);
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    };
    const everywhere = await taken(undefined);
    expect(await taken(PAIR)).toBeLessThanOrEqual(everywhere);
    expect(await taken(EMPTY)).toBe(1);
    for (const spy of spies) spy.mockRestore();
  });

  it('a filter and a folder narrow the space further', async () => {
    expect(await codesOf(PAIR, { filter: { documentTypes: ['ABSENT'] } })).toEqual([]);
    expect(await codesOf(PAIR, { locationCode: 'L1' })).toEqual(['one', 'three']);
    expect(await codesOf(PAIR, { claims: { locationRoots: ['L9'] } })).toEqual([]);
    expect(await codesOf(PAIR, { claims: { entities: ['E2'] } })).toEqual([]);
  });

  it('members removed by a refresh are no longer found', async () => {
    await keep(10, 'one', 'two');
    expect(await codesOf(10)).toEqual(['one', 'two']);
    await keepSpace(retrieval, { groupId: ours, spaceId: 10, version: 2, members: idsOf('four') });
    expect(await codesOf(10)).toEqual(['four']);
  });

  it('members that move out of sight or are withdrawn leave at once', async () => {
    const groupId = randomUUID();
    const facts = [];
    for (const code of ['moves', 'goes', 'stays'])
      facts.push(await handOver(retrieval, { groupId, code, texts: ['El agua.'] }));
    const [moves, goes] = facts;
    if (moves === undefined || goes === undefined) throw new Error('Nothing was handed over.');
    await keepSpace(retrieval, { groupId, spaceId: 1, members: facts.map(({ documentId }) => documentId) });
    const claims = { locationRoots: ['L1'] };
    expect(await codesOf(1, { groupId, claims })).toEqual(['goes', 'moves', 'stays']);
    const later = { ...moves, revision: 2, locationCode: 'L9', locationAncestors: ['L9'] };
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, [later]));
    await withdraw(retrieval, groupId, goes.documentId, 2);
    expect(await codesOf(1, { groupId, claims })).toEqual(['stays']);
  });

  it('spaces with the same number in two groups never meet', async () => {
    const found = await retrieval.searchWith().passages(userScope(theirs), requestOf(PAIR));
    expect(found.documents).toMatchObject([{ code: 'one', chunks: [{}, {}] }]);
    expect(await codesOf(PAIR)).toEqual(['one', 'three']);
  });
});

describe('the right to search a space', () => {
  const AREA = 20;
  const PART = 21;
  const other: string = randomUUID();
  const claims = (over: Partial<ScopeClaims> = {}) => ({ profile: 'USUARIO' as const, userId: other, ...over });
  beforeAll(async () => {
    await keepSpace(retrieval, { groupId: ours, spaceId: AREA, type: 'AREA', members: idsOf('one') });
    await keepSpace(retrieval, { groupId: ours, spaceId: PART, entityCode: 'E1', members: idsOf('one') });
  });

  it.each<[string, number, Partial<ScopeClaims>]>([
    ['an absent space', 99, {}],
    ['a space of another group', THEIRS, {}],
    ['the working set of another user', AREA, {}],
    ['a space of an entity that its caller does not have', PART, { entities: ['E2'] }],
    ['a space of an entity outside of the focus', PART, { activeEntity: 'E2' }],
    ['the working set of the group under a fixed key', AREA, { profile: 'ADMINISTRADOR', isFixed: true }],
  ])('%s is not found by search, passages and explanation', async (_what, spaceId, over) => {
    const [scope, request] = [userScope(ours, claims(over)), requestOf(spaceId)];
    const { search, passages } = retrieval.searchWith();
    await expect(search(scope, request)).rejects.toBeInstanceOf(NotFound);
    await expect(passages(scope, request)).rejects.toBeInstanceOf(NotFound);
    await expect(retrieval.explainWith().explain(scope, request)).rejects.toBeInstanceOf(NotFound);
  });

  it.each<[string, number, Partial<ScopeClaims>]>([
    ['its owner', AREA, { userId: OWNER }],
    ['an administrator', AREA, { profile: 'ADMINISTRADOR' }],
    ['a reader of its entity', PART, {}],
  ])('%s finds its documents', async (_who, spaceId, over) => {
    expect(await codesOf(spaceId, { claims: claims(over) })).toEqual(['one']);
  });

  it('a refused search is not counted', async () => {
    const used = () =>
      retrieval.database.read({ groupId: ours }, (tx) => tx.query('select used from retrieval.allowance'));
    const before = await used();
    await expect(codesOf(99)).rejects.toBeInstanceOf(NotFound);
    await expect(codesOf(Number.MAX_SAFE_INTEGER)).rejects.toBeInstanceOf(NotFound);
    expect(await used()).toEqual(before);
  });
});

/** The members of a space of another group, which no code asks for. */
const trespass = (groupId: string): LegQuery => ({
  ...queryOf(THEIRS, groupId),
  visibility: within(THEIRS, 1, groupId),
});
/** The statement without its predicates on the group. */
const withoutGroup = ({ sql, ...rest }: LegStatement): LegStatement => ({
  ...rest,
  sql: sql.replaceAll(/\b[cdlmv]\.group_id = (\$\d+)::uuid/g, '$1::uuid is not null'),
});

describe.each(legs)('the %s leg and the members of another group', (_name, statement) => {
  let theirIndex: LiveEmbeddingIndex;
  beforeAll(async () => {
    const live = await retrieval.database.read({ groupId: theirs }, (tx) => retrieval.embeddingIndexes.live(tx));
    if (live === undefined) throw new Error('The other group has no embedding index.');
    theirIndex = live;
  });
  const asked = (groupId: string) => statement({ ...trespass(groupId), embeddingIndex: theirIndex });

  it('the other group finds them', async () => {
    expect(await run(asked(theirs), retrieval.database, theirs)).toHaveLength(2);
  });

  it('row security alone hides them', async () => {
    expect(await run(withoutGroup(asked(ours)))).toEqual([]);
  });

  it('the predicate alone hides them', async () => {
    const tables = ['document', 'live', 'chunk', 'vector_384', 'space', 'space_member'];
    const parts = [`chunk_${theirIndex.bucket}`, `vector_384_${theirIndex.bucket}`];
    const force = async (how: string): Promise<void> => {
      for (const table of [...tables, ...parts])
        await retrieval.db.asOwner('retrieval', `alter table retrieval.${table} ${how} row level security`);
    };
    await force('no force');
    const owner = new Database(retrieval.db.connection(ownerRole('retrieval')));
    try {
      expect(await run(asked(ours), owner)).toEqual([]);
      expect((await run(withoutGroup(asked(ours)), owner)).length).toBeGreaterThan(0);
    } finally {
      await owner.close();
      await force('force');
    }
  });
});
