import { randomUUID } from 'node:crypto';
import {
  type DocumentDescribed,
  type DocumentPrepared,
  type SearchFilter,
  type SearchRequest,
} from '@acervo/contracts';
import { visibilityOf } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import {
  admittedStatement,
  lexicalStatement,
  type LegStatement,
  nearestStatement,
  vectorStatement,
} from '../src/legs/leg-sql';
import { LexicalIndex, type LegQuery, type RankedChunk, type RankedVector, VectorIndex } from '../src/legs/ranking';
import { type SearchedDocuments, searchedDocuments } from '../src/legs/searched-documents';
import { AdmissionStore } from '../src/search/admission.store';
import { HydrationStore } from '../src/search/hydration.store';
import { handOver, userScope, workScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

type Codes = Partial<Pick<DocumentDescribed, 'typeCodes' | 'attributes' | 'characteristics'>>;

const [ours, theirs] = [randomUUID(), randomUUID()];
const DOCUMENTS: Readonly<Record<string, Codes & { readonly chunks: number }>> = {
  lease: { typeCodes: ['CONTRACT', 'LEASE'], characteristics: ['SIGNED'], chunks: 3 },
  sale: { typeCodes: ['CONTRACT', 'SALE'], attributes: ['AMOUNT'], chunks: 1 },
  invoice: { typeCodes: ['INVOICE'], attributes: ['AMOUNT', 'DATE'], characteristics: ['SIGNED', 'PAID'], chunks: 2 },
  letter: { chunks: 1 },
};
const facts = new Map<string, DocumentPrepared>();
const nameOf = (id: string): string => [...facts].find(([, fact]) => fact.documentId === id)?.[0] ?? 'unknown';
const namesIn = (rows: readonly { readonly documentId: string }[]): string[] =>
  [...new Set(rows.map(({ documentId }) => nameOf(documentId)))].toSorted();

let retrieval: Retrieval;
let index: LiveEmbeddingIndex;
let vector: Float32Array;

const textsOf = (name: string, chunks: number): string[] =>
  Array.from({ length: chunks }, (_, ordinal) => `El agua de ${name} número ${ordinal}.`);

beforeAll(async () => {
  retrieval = await openRetrieval();
  for (const [name, { chunks, ...codes }] of Object.entries(DOCUMENTS))
    facts.set(name, await handOver(retrieval, { groupId: ours, code: name, texts: textsOf(name, chunks), ...codes }));
  const codes = { typeCodes: ['CONTRACT', 'LEASE'], attributes: ['AMOUNT'], characteristics: ['SIGNED'] };
  await handOver(retrieval, { groupId: theirs, code: 'lease', texts: textsOf('lease', 2), ...codes });
  [vector = new Float32Array()] = await retrieval.embedder.embed(['agua']);
  const live = await retrieval.database.read({ groupId: ours }, (tx) => retrieval.embeddingIndexes.live(tx));
  if (live === undefined) throw new Error('The group has no embedding index.');
  index = live;
});
afterAll(() => retrieval.close());

const searchedBy = (filter: SearchFilter, groupId = ours): SearchedDocuments =>
  searchedDocuments(visibilityOf(userScope(groupId)), filter);
const queryOf = (filter: SearchFilter): LegQuery => ({
  visibility: searchedBy(filter),
  embeddingIndex: index,
  depth: 50,
});
const run = <R extends object = RankedChunk>({
  sql,
  params,
  local,
}: Omit<LegStatement, 'local'> & Partial<LegStatement>) =>
  retrieval.database.read({ groupId: ours }, (tx) => tx.query<R>(sql, params), local);
const requestOf = (filter: SearchFilter, over: Partial<SearchRequest> = {}): SearchRequest => ({
  ...{ query: 'agua', limit: 10, minSimilarity: 0, filter },
  ...over,
});

const filters: readonly [string, SearchFilter, readonly string[]][] = [
  ['nothing', {}, ['invoice', 'lease', 'letter', 'sale']],
  ['empty lists', { documentTypes: [], attributes: [], characteristics: [] }, ['invoice', 'lease', 'letter', 'sale']],
  ['a type', { documentTypes: ['LEASE'] }, ['lease']],
  ['a type with types below', { documentTypes: ['CONTRACT'] }, ['lease', 'sale']],
  ['any of two types', { documentTypes: ['SALE', 'INVOICE'] }, ['invoice', 'sale']],
  ['any of two attributes', { attributes: ['DATE', 'AMOUNT'] }, ['invoice', 'sale']],
  ['a characteristic', { characteristics: ['SIGNED'] }, ['invoice', 'lease']],
  ['type and attribute', { documentTypes: ['CONTRACT'], attributes: ['AMOUNT'] }, ['sale']],
  ['all three', { documentTypes: ['INVOICE'], attributes: ['DATE'], characteristics: ['PAID'] }, ['invoice']],
  ['codes that no document joins', { documentTypes: ['LEASE'], characteristics: ['PAID'] }, []],
  ['an unknown type', { documentTypes: ['ABSENT'] }, []],
  ['an unknown attribute', { documentTypes: ['INVOICE'], attributes: ['ABSENT'] }, []],
  ['a type as characteristic', { characteristics: ['LEASE'] }, []],
];

describe.each(filters)('a filter by %s', (_what, filter, admitted) => {
  const chunks = admitted.reduce((sum, name) => sum + (DOCUMENTS[name]?.chunks ?? 0), 0);

  it.each<[string, () => LegStatement]>([
    ['lexical', () => lexicalStatement(queryOf(filter), 'agu')],
    ['exact vector', () => vectorStatement(queryOf(filter), vector, true)],
    ['graph vector', () => vectorStatement(queryOf(filter), vector, false)],
    ['nearest vector', () => nearestStatement(queryOf(filter), vector)],
  ])('the %s leg ranks exactly the admitted chunks', async (_leg, statement) => {
    const rows = await run(statement());
    expect(namesIn(rows)).toEqual(admitted);
    expect(rows).toHaveLength(chunks);
  });

  it('the admitted chunks are counted', async () => {
    expect(await run<{ chunks: number }>(admittedStatement(queryOf(filter)))).toEqual([{ chunks }]);
  });

  it('hits are confirmed under the filter', async () => {
    const store = new HydrationStore();
    const ids = [...facts.values()].map(({ documentId }) => documentId);
    await retrieval.database.read({ groupId: ours }, async (tx) => {
      const hits = ids.map((documentId) => ({ documentId, ordinal: 0 }));
      expect(namesIn(await store.hydrate(tx, searchedBy(filter), index, hits))).toEqual(admitted);
      expect(namesIn(await store.names(tx, searchedBy(filter), ids, []))).toEqual(admitted);
      expect(await new AdmissionStore().of(tx, searchedBy(filter))).toMatchObject({ isAny: admitted.length > 0 });
    });
  });

  it('search, passages and explanation keep to it', async () => {
    const scope = userScope(ours);
    const found = await retrieval.searchWith().search(scope, requestOf(filter));
    expect(found.documents.map(({ code }) => code).toSorted()).toEqual(admitted);
    expect(found.totalDocuments).toBe(admitted.length);
    const inFull = await retrieval.searchWith().passages(scope, requestOf(filter));
    expect(inFull.documents.map(({ code }) => code).toSorted()).toEqual(admitted);
    const { documents } = await retrieval.explainWith().explain(scope, requestOf(filter));
    expect(documents.map(({ code }) => code).toSorted()).toEqual(admitted);
  });
});

it.each<[string, Partial<LegQuery>]>([
  ['of a group', {}],
  ['found by key', { admitted: 7 }],
])('equal distances %s stand in the order of the documents', async (_which, over) => {
  // Every product with this vector is 0.
  const equal = new Float32Array(vector.length);
  const rows = await run(vectorStatement({ ...queryOf({}), ...over }, equal, true));
  const placed = rows.map(({ documentId, ordinal }) => `${documentId} ${ordinal}`);
  expect(placed).toHaveLength(7);
  expect(placed).toEqual(placed.toSorted());
});

/** Ranks every document whatever the filter, as an engine does whose copies are stale. */
class StaleLexicalIndex extends LexicalIndex {
  readonly engine = 'stale';
  rank(): Promise<readonly RankedChunk[]> {
    return Promise.resolve([...facts.values()].map(({ documentId }) => ({ documentId, ordinal: 0 })));
  }
}
class StaleVectorIndex extends VectorIndex {
  readonly engine = 'stale';
  rank(): Promise<readonly RankedVector[]> {
    return Promise.resolve([...facts.values()].map(({ documentId }) => ({ documentId, ordinal: 0, cosine: 0.9 })));
  }
}

describe('the codes of a document', () => {
  it('hits of stale engines outside the filter are dropped', async () => {
    const stale = { lexical: new StaleLexicalIndex(), vector: new StaleVectorIndex() };
    const request = requestOf({ documentTypes: ['CONTRACT'], attributes: ['AMOUNT'] });
    const { documents } = await retrieval.searchWith(stale).search(userScope(ours), request);
    expect(documents.map(({ code }) => code)).toEqual(['sale']);
    const explained = await retrieval.explainWith(stale).explain(userScope(ours), request);
    expect(explained.documents.map(({ code }) => code)).toEqual(['sale']);
  });

  it('two groups with the same codes never meet', async () => {
    const filter = { documentTypes: ['CONTRACT'], attributes: ['AMOUNT'], characteristics: ['SIGNED'] };
    const found = async (groupId: string) =>
      (await retrieval.searchWith().search(userScope(groupId), requestOf(filter))).documents;
    expect(await found(ours)).toEqual([]);
    const [lease, ...others] = await found(theirs);
    expect([lease?.code, others]).toEqual(['lease', []]);
  });

  it('the score of a document does not depend on codes of another group', async () => {
    const scored = async () =>
      (await retrieval.searchWith().search(userScope(ours), requestOf({ documentTypes: ['CONTRACT'] }))).documents.map(
        ({ code, rrfScore, maxSimilarity }) => [code, rrfScore, maxSimilarity],
      );
    const before = await scored();
    await handOver(retrieval, { groupId: theirs, texts: textsOf('otra', 4), typeCodes: ['CONTRACT'] });
    expect(await scored()).toEqual(before);
  });

  it('changed codes act at once and no chunk is loaded again', async () => {
    const groupId = randomUUID();
    const fact = await handOver(retrieval, { groupId, texts: textsOf('x', 2), typeCodes: ['INVOICE'] });
    const found = async (documentTypes: string[]): Promise<number> =>
      (await retrieval.searchWith().search(userScope(groupId), requestOf({ documentTypes }))).totalDocuments;
    expect([await found(['INVOICE']), await found(['CONTRACT'])]).toEqual([1, 0]);
    const later = { ...fact, revision: 2, typeCodes: ['CONTRACT'] };
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, [later]));
    expect([await found(['INVOICE']), await found(['CONTRACT'])]).toEqual([0, 1]);
    for (const stage of ['index', 'vectors', 'build'] as const) expect(await retrieval.work(groupId, stage)).toBe(0);
  });
});
