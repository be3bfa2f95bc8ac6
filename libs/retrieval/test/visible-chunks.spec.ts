import { randomUUID } from 'node:crypto';
import { entityReach, NotFound, type ScopeClaims } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { type Narrowing, type Visibility, visibilityOf } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import {
  admittedStatement,
  lexicalStatement,
  type LegStatement,
  nearestStatement,
  vectorStatement,
} from '../src/legs/leg-sql';
import { termsClauses, searchedClauses } from '../src/legs/opensearch/lexical-query';
import type { LegQuery, RankedChunk } from '../src/legs/ranking';
import { LocationStore } from '../src/locations/location.store';
import { AdmissionStore } from '../src/search/admission.store';
import { HydrationStore } from '../src/search/hydration.store';
import { RequestVisibility } from '../src/search/request-visibility';
import { handOver, publishLocation, userScope, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const [ours, theirs] = [randomUUID(), randomUUID()];
const TERMS = 'agu';
/** Documents by name: entity, folders, and number of chunks. */
const DOCUMENTS = {
  one: { entityCode: 'E1', locationAncestors: ['ROOT', 'L1'], chunks: 3 },
  two: { entityCode: 'E1', locationAncestors: ['ROOT', 'L2'], chunks: 1 },
  three: { entityCode: 'E2', locationAncestors: ['R2', 'L3'], chunks: 2 },
} as const;
type Name = keyof typeof DOCUMENTS;

let retrieval: Retrieval;
let index: LiveEmbeddingIndex;
let vector: Float32Array;
/** Ids of all documents, a withdrawn one and one of another group among them. */
const ids = new Map<string, string>();
const nameOf = (id: string): string | undefined => [...ids].find(([, each]) => each === id)?.[0];

const add = async (
  groupId: string,
  name: string,
  { entityCode, locationAncestors, chunks }: (typeof DOCUMENTS)[Name],
) => {
  const texts = Array.from({ length: chunks }, (_, ordinal) => `El agua de ${name} número ${ordinal}.`);
  const place = { entityCode, locationCode: locationAncestors[1], locationAncestors };
  const { documentId } = await handOver(retrieval, { groupId, code: `D-${name}`, name, texts, ...place });
  ids.set(name, documentId);
};

beforeAll(async () => {
  retrieval = await openRetrieval();
  for (const [name, document] of Object.entries(DOCUMENTS)) await add(ours, name, document);
  await add(ours, 'withdrawn', DOCUMENTS.one);
  await withdraw(retrieval, ours, ids.get('withdrawn') ?? '', 2);
  await add(theirs, 'theirs', DOCUMENTS.one);
  [vector = new Float32Array()] = await retrieval.embedder.embed(['agua']);
  const live = await retrieval.database.read({ groupId: ours }, (tx) => retrieval.embeddingIndexes.live(tx));
  if (live === undefined) throw new Error('The group has no embedding index.');
  index = live;
});
afterAll(() => retrieval.close());

const visibility = (claims: Partial<ScopeClaims> = {}, narrowing: Narrowing = {}): Visibility =>
  visibilityOf(userScope(ours, claims), narrowing);
const query = (of: Visibility, depth = 50): LegQuery => ({ visibility: of, embeddingIndex: index, depth });
const run = <R extends object = RankedChunk>({
  sql,
  params,
  local,
}: Omit<LegStatement, 'local'> & Partial<LegStatement>) =>
  retrieval.database.read({ groupId: ours }, (tx) => tx.query<R>(sql, params), local);
const namesIn = (rows: readonly RankedChunk[]): (string | undefined)[] =>
  [...new Set(rows.map(({ documentId }) => nameOf(documentId)))].toSorted();

const views: readonly [string, Partial<ScopeClaims>, Narrowing, readonly Name[]][] = [
  ['everything', {}, {}, ['one', 'three', 'two']],
  ['one entity', { entities: ['E1'] }, {}, ['one', 'two']],
  ['an entity in focus', { activeEntity: 'E2' }, {}, ['three']],
  ['an area', { locationRoots: ['L1', 'L3'] }, {}, ['one', 'three']],
  ['an empty area', { locationRoots: [] }, {}, []],
  ['a folder', {}, { locationCode: 'ROOT' }, ['one', 'two']],
  ['a folder beside its area', { locationRoots: ['L1'] }, { locationCode: 'L2' }, []],
  ['no entity', { entities: [] }, {}, []],
];

describe.each(views)('a caller who sees %s', (_what, claims, narrowing, seen) => {
  const view = (): Visibility => visibility(claims, narrowing);
  const chunks = seen.reduce((sum, name) => sum + DOCUMENTS[name].chunks, 0);

  it.each<[string, () => LegStatement]>([
    ['lexical', () => lexicalStatement(query(view()), TERMS)],
    ['exact vector', () => vectorStatement(query(view()), vector, true)],
    ['graph vector', () => vectorStatement(query(view()), vector, false)],
    ['nearest vector', () => nearestStatement(query(view()), vector)],
  ])('the %s leg ranks exactly its chunks', async (_leg, statement) => {
    const rows = await run(statement());
    expect(namesIn(rows)).toEqual(seen);
    expect(rows).toHaveLength(chunks);
  });

  it('the admitted chunks are counted', async () => {
    expect(await run<{ chunks: number }>(admittedStatement(query(view())))).toEqual([{ chunks }]);
  });

  it('hits are confirmed and named under the same visibility', async () => {
    const store = new HydrationStore();
    const hits = [...ids.values()].map((documentId) => ({ documentId, ordinal: 0 }));
    await retrieval.database.read({ groupId: ours }, async (tx) => {
      expect(namesIn(await store.hydrate(tx, view(), index, hits))).toEqual(seen);
      const all = [...ids.values()];
      expect((await store.names(tx, view(), all, [])).map(({ name }) => name).toSorted()).toEqual(seen);
      const codes = [...ids.keys()].map((name) => `D-${name}`);
      expect((await store.names(tx, view(), [], codes)).map(({ name }) => name).toSorted()).toEqual(seen);
      expect(await new AdmissionStore().of(tx, view())).toMatchObject({ isAny: seen.length > 0 });
    });
  });

  it('the query of OpenSearch is narrowed by the same values', () => {
    const { entities, locationRoots, locationCode } = view();
    expect(searchedClauses(view())).toEqual([
      { terms: { entity_code: entities } },
      ...(locationRoots === null ? [] : [{ terms: { location_ancestors: locationRoots } }]),
      ...(locationCode === null ? [] : [{ term: { location_ancestors: locationCode } }]),
    ]);
  });
});

describe('the order of hits', () => {
  it('a leg ranks its best chunks up to its depth', async () => {
    for (const statement of [
      lexicalStatement(query(visibility(), 2), 'agu one'),
      vectorStatement(query(visibility(), 2), vector, true),
      vectorStatement(query(visibility(), 2), vector, false),
    ])
      expect(await run(statement)).toHaveLength(2);
    const [best] = await run(lexicalStatement(query(visibility()), 'two'));
    expect(nameOf(best?.documentId ?? '')).toBe('two');
  });

  it('a vector hit carries its cosine, best first', async () => {
    const [near = new Float32Array()] = await retrieval.embedder.embed(['El agua de two número 0.']);
    for (const exact of [true, false]) {
      const rows = await run<RankedChunk & { cosine: number }>(vectorStatement(query(visibility()), near, exact));
      expect(nameOf(rows[0]?.documentId ?? '')).toBe('two');
      expect(rows[0]?.cosine).toBeCloseTo(1, 2);
      const cosines = rows.map(({ cosine }) => cosine);
      expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
    }
  });

  it('confirmed hits keep their order and carry text, size and place', async () => {
    const hits = [
      { documentId: ids.get('three') ?? '', ordinal: 1 },
      { documentId: ids.get('one') ?? '', ordinal: 2 },
      { documentId: ids.get('one') ?? '', ordinal: 9 },
      { documentId: ids.get('three') ?? '', ordinal: 0 },
    ];
    const found = await retrieval.database.read({ groupId: ours }, (tx) =>
      new HydrationStore().hydrate(tx, visibility(), index, hits),
    );
    expect(found.map(({ name, ordinal }) => [name, ordinal])).toEqual([
      ['three', 1],
      ['one', 2],
      ['three', 0],
    ]);
    expect(found[0]).toMatchObject({ code: 'D-three', text: 'El agua de three número 1.', chunkCount: 2, page: null });
  });

  it('repeated terms count as often as they occur', () => {
    expect(termsClauses('agu rieg agu')).toEqual([
      { term: { terms: { value: 'agu', boost: 2 } } },
      { term: { terms: { value: 'rieg', boost: 1 } } },
    ]);
  });
});

describe('the visibility of a folder', () => {
  const sees = (code: string, claims: Partial<ScopeClaims> = {}): Promise<boolean> =>
    retrieval.database.read({ groupId: ours }, (tx) => new LocationStore().sees(tx, visibility(claims), code));

  it('a folder is visible by entity and area, an unknown one never', async () => {
    expect(await sees('L1')).toBe(true);
    expect(await sees('L9')).toBe(false);
    expect(await sees('L1', { entities: ['E2'] })).toBe(false);
    expect(await sees('L1', { locationRoots: ['L2'] })).toBe(false);
  });

  it('the latest description of a folder counts, in any order', async () => {
    const ancestors = ['ROOT', 'LX'];
    const describe = (revision: number, over = {}): Promise<void> =>
      publishLocation(retrieval, ours, { code: 'LX', ancestors, revision, ...over });
    await describe(2);
    await describe(4, { entityCode: 'E2', ancestors: ['R2', 'LX'] });
    await describe(3, { removed: true });
    expect([
      await sees('LX', { entities: ['E2'], locationRoots: ['R2'] }),
      await sees('LX', { entities: ['E1'] }),
    ]).toEqual([true, false]);
    await describe(5, { removed: true });
    expect(await sees('LX')).toBe(false);
  });
});

describe('the visibility of a request', () => {
  const asked: unknown[] = [];
  const auth = (answer: () => Promise<unknown>): RequestVisibility => {
    const send = (call: { code: string }, _scope: unknown, input: unknown): Promise<unknown> => {
      asked.push([call.code, input]);
      return answer();
    };
    return new RequestVisibility({ send } as unknown as Calls);
  };
  const reach = auth(async () => ({ locationRoots: ['L3'] }));
  const request = { query: 'agua', limit: 10, minSimilarity: 0 };
  afterEach(() => asked.splice(0));

  it('a request without an entity sees what is in focus', async () => {
    const scope = userScope(ours, { activeEntity: 'E1', locationRoots: ['L1'] });
    const seen = await reach.of(scope, { ...request, locationCode: 'L1' });
    expect(seen).toEqual({ groupId: ours, entities: ['E1'], locationRoots: ['L1'], locationCode: 'L1' });
    expect(asked).toEqual([]);
  });

  it('an entity in focus needs no question', async () => {
    const seen = await reach.of(userScope(ours, { locationRoots: ['L1'] }), { ...request, entityCode: 'E2' });
    expect(seen).toMatchObject({ entities: ['E2'], locationRoots: ['L1'] });
    expect(asked).toEqual([]);
  });

  it('in an entity outside of the focus auth names the folders', async () => {
    const scope = userScope(ours, { activeEntity: 'E1', locationRoots: ['L1'] });
    const seen = await reach.of(scope, { ...request, entityCode: 'E2', locationCode: 'R2' });
    expect(seen).toEqual({ groupId: ours, entities: ['E2'], locationRoots: ['L3'], locationCode: 'R2' });
    expect(asked).toEqual([[entityReach.code, { entityCode: 'E2' }]]);
  });

  it('an entity that auth refuses stays absent', async () => {
    const refused = auth(() => Promise.reject(new NotFound()));
    await expect(refused.of(userScope(ours), { ...request, entityCode: 'E9' })).rejects.toBeInstanceOf(NotFound);
  });
});
