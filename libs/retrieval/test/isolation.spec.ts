import { randomUUID } from 'node:crypto';
import { Database, type LocalSettings, ownerRole } from '@acervo/platform-database';
import { visibilityOf } from '@acervo/rbac';
import { type LegStatement, lexicalStatement, nearestStatement, vectorStatement } from '../src/legs/leg-sql';
import type { LegQuery, RankedChunk } from '../src/legs/ranking';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import { handOver, userScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

const [ours, theirs] = [randomUUID(), randomUUID()];
const QUERY = 'depósito de agua';
const TERMS = 'deposit agu agua';
const tenantTables = ['document', 'live', 'chunk', 'vector_384'];
let retrieval: Retrieval;
let query: Float32Array;
let theirIndex: LiveEmbeddingIndex;

beforeAll(async () => {
  retrieval = await openRetrieval();
  await handOver(retrieval, { groupId: ours, code: 'ACTA', texts: ['Nuestro depósito de agua.'] });
  await handOver(retrieval, { groupId: theirs, code: 'ACTA', texts: ['Su depósito de agua.', 'Su secreto.'] });
  [query = new Float32Array()] = await retrieval.embedder.embed([QUERY]);
  const embeddingIndex = await retrieval.database.read({ groupId: theirs }, (tx) =>
    retrieval.embeddingIndexes.live(tx),
  );
  if (embeddingIndex === undefined) throw new Error('The other group has no embedding index.');
  theirIndex = embeddingIndex;
});
afterAll(() => retrieval.close());

/** Queries the partitions of one group as the other group, which no code does. */
const trespass = (groupId: string): LegQuery => ({
  visibility: visibilityOf(userScope(groupId)),
  embeddingIndex: theirIndex,
  depth: 50,
});

const legs: readonly [string, (groupId: string) => LegStatement][] = [
  ['lexical', (groupId) => lexicalStatement(trespass(groupId), TERMS)],
  ['exact vector', (groupId) => vectorStatement(trespass(groupId), query, true)],
  ['graph vector', (groupId) => vectorStatement(trespass(groupId), query, false)],
  ['nearest vector', (groupId) => nearestStatement(trespass(groupId), query)],
];

/** The statement without its predicates on the group; the parameters keep their positions. */
const withoutGroup = ({ sql, ...rest }: LegStatement): LegStatement => {
  const cut = sql.replaceAll(/\b[cdlv]\.group_id = (\$\d+)::uuid/g, '$1::uuid is not null');
  expect(cut).not.toMatch(/group_id = \$/);
  expect(cut).not.toBe(sql);
  return { ...rest, sql: cut };
};

const run = (database: Database, groupId: string, { sql, params, local }: LegStatement): Promise<RankedChunk[]> =>
  database.read({ groupId }, (tx) => tx.query<RankedChunk>(sql, params), local satisfies LocalSettings);

describe('two groups with a document of the same code', () => {
  it.each([
    ['ours', ours, 'Nuestro depósito de agua.'],
    ['theirs', theirs, 'Su depósito de agua.'],
  ])('equal documents of two groups stay apart: %s', async (_name, groupId, text) => {
    const { documents } = await retrieval
      .searchWith()
      .search(userScope(groupId), { query: `${QUERY} secreto`, limit: 100, minSimilarity: 0 });
    expect(documents.map(({ code }) => code)).toEqual(['ACTA']);
    const texts = documents.flatMap(({ chunks }) => chunks.map((chunk) => chunk.text));
    expect(texts).toContain(text);
    expect(texts.every((each) => each.startsWith(text.slice(0, 2)))).toBe(true);
  });

  it('two groups have separate partitions', async () => {
    const embeddingIndex = await retrieval.database.read({ groupId: ours }, (tx) =>
      retrieval.embeddingIndexes.live(tx),
    );
    expect(embeddingIndex?.bucket).not.toBe(theirIndex.bucket);
  });
});

describe.each(legs)('the %s leg', (_name, statement) => {
  it('a group finds its chunks with and without its own predicate', async () => {
    expect((await run(retrieval.database, theirs, statement(theirs))).length).toBeGreaterThan(0);
    expect((await run(retrieval.database, theirs, withoutGroup(statement(theirs)))).length).toBeGreaterThan(0);
  });

  it('predicate and row security together show nothing of another group', async () => {
    expect(await run(retrieval.database, ours, statement(ours))).toEqual([]);
  });

  it('row security alone shows nothing of another group', async () => {
    expect(await run(retrieval.database, ours, withoutGroup(statement(ours)))).toEqual([]);
  });
});

describe.each(legs)('the %s leg without row level security', (name, statement) => {
  let owner: Database;
  const force = async (how: 'force' | 'no force'): Promise<void> => {
    const { bucket, dimension } = theirIndex;
    for (const table of [...tenantTables, `chunk_${bucket}`, `vector_${dimension}_${bucket}`])
      await retrieval.db.asOwner('retrieval', `alter table retrieval.${table} ${how} row level security`);
  };

  beforeAll(async () => {
    await force('no force');
    owner = new Database(retrieval.db.connection(ownerRole('retrieval')));
  });
  afterAll(async () => {
    await owner.close();
    await force('force');
  });

  it(`the predicate of the ${name} leg alone shows nothing of another group`, async () => {
    expect(await run(owner, ours, statement(ours))).toEqual([]);
  });

  it('chunks of the other group show without predicate and row security', async () => {
    expect((await run(owner, ours, withoutGroup(statement(ours)))).length).toBeGreaterThan(0);
  });
});
