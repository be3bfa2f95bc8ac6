import { randomUUID } from 'node:crypto';
import { vectorToSql } from '@acervo/platform-database';
import { visibilityOf } from '@acervo/rbac';
import { nearestStatement, vectorStatement } from '../src/legs/leg-sql';
import { PgvectorIndex } from '../src/legs/pgvector-index';
import type { LegQuery, RankedVector } from '../src/legs/ranking';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import { userScope } from './documents';
import { numbers } from './numbers';
import { executed, rowsRead } from './plans';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
const DOCUMENTS = 400;
const CHUNKS_EACH = 3;
const DEPTH = 100;
const random = numbers(5);

let retrieval: Retrieval;
let embeddingIndex: LiveEmbeddingIndex;
let question: Float32Array;

const direction = (dimension: number): Float32Array => {
  const values = Array.from({ length: dimension }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};

/** Documents of three chunks: a withdrawn one in ten, one of entity E2 in eight, and earlier generations of some. */
const fill = async (): Promise<LiveEmbeddingIndex> => {
  const { embeddingModel } = retrieval.embedder;
  await retrieval.buckets.prepare({ groupId }, embeddingModel.dimension);
  const { embeddingIndex: made } = await retrieval.database.write({ groupId }, (tx) =>
    retrieval.embeddingIndexes.ensure(tx, embeddingModel, true),
  );
  const vectors = Array.from({ length: DOCUMENTS * CHUNKS_EACH }, () => direction(made.dimension));
  await retrieval.database.write({ groupId }, async (tx) => {
    await tx.query(
      `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
         location_ancestors, relative_path, path, origin, withdrawn)
       select $1, gen_random_uuid(), 1, 'D' || n, 'd', '', case when n % 8 = 0 then 'E2' else 'E1' end, 'L1', '{L1}', 'd', 'd',
         'CARPETA', n % 10 = 0
       from generate_series(1, $2::int) n`,
      [groupId, DOCUMENTS],
    );
    await tx.query(
      `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
       select group_id, document_id, $2, case when code like '%5' then 2 else 1 end, $3, $4
       from retrieval.document where group_id = $1`,
      [groupId, made.indexId, made.bucket, CHUNKS_EACH],
    );
    await tx.query(
      `insert into retrieval.vector_${made.dimension} (bucket, group_id, space_id, document_id, generation, ordinal, embedding)
       select $3, d.group_id, $2, d.document_id, generation, ordinal, ($4::text[])[(substr(d.code, 2)::int - 1) * $5 + ordinal + 1]::vector
       from retrieval.document d, generate_series(1, case when d.code like '%5' then 2 else 1 end) generation,
         generate_series(0, $5::int - 1) ordinal
       where d.group_id = $1`,
      [groupId, made.indexId, made.bucket, vectors.map(vectorToSql), CHUNKS_EACH],
    );
  });
  return { ...made, mostChunks: DOCUMENTS * CHUNKS_EACH };
};

beforeAll(async () => {
  retrieval = await openRetrieval();
  embeddingIndex = await fill();
  question = direction(embeddingIndex.dimension);
});
afterAll(() => retrieval.close());

const asked = (entities: readonly string[], depth = DEPTH): LegQuery => ({
  visibility: visibilityOf(userScope(groupId, { entities: [...entities] })),
  embeddingIndex,
  depth,
});
const exactly = ({ visibility, ...query }: LegQuery): Promise<RankedVector[]> => {
  const { sql, params, local } = vectorStatement({ visibility, ...query }, question, true);
  return retrieval.database.read(visibility, (tx) => tx.query<RankedVector>(sql, params), local);
};

/** The rankings of several searches, and how many statements they ran. */
const ranked = async (queries: readonly LegQuery[]) => {
  const runs = jest.spyOn(retrieval.database, 'readAtOnce');
  const index = new PgvectorIndex(retrieval.database);
  const rankings: (readonly RankedVector[])[] = [];
  for (const query of queries) rankings.push(await index.rank(query, question));
  const statements = runs.mock.calls.length;
  runs.mockRestore();
  return { rankings, statements };
};

describe('an exact vector search that tests the nearest chunks first', () => {
  it('it ranks as the comparison of all visible chunks does, in one statement', async () => {
    const query = asked(['E1', 'E2']);
    const { rankings, statements } = await ranked([query]);
    expect(rankings).toEqual([await exactly(query)]);
    expect(rankings[0]).toHaveLength(DEPTH);
    expect(statements).toBe(1);
  });

  it('it looks up the documents of few chunks', async () => {
    const nodes = await executed(retrieval.database, groupId, nearestStatement(asked(['E1', 'E2']), question));
    const scanned = nodes.find(({ 'Relation Name': table }) => table === 'document');
    expect(scanned).toMatchObject({ 'Index Name': 'document_pkey' });
    expect(rowsRead(nodes, 'document')).toBeLessThan(1.5 * DEPTH);
    expect(rowsRead(nodes, 'live')).toBeLessThan(1.5 * DEPTH);
  });

  it('a caller who sees few of the nearest gets every visible chunk, and the next search compares those at once', async () => {
    const query = asked(['E2']);
    const { rankings, statements } = await ranked([query, query, query]);
    const expected = await exactly(query);
    expect(expected).toHaveLength(DEPTH);
    expect(rankings).toEqual([expected, expected, expected]);
    expect(statements).toBe(4);
  });

  it('a depth of a good part of the chunks compares the visible ones at once', async () => {
    const query = asked(['E1', 'E2'], 2_000);
    const { rankings, statements } = await ranked([query]);
    expect(rankings).toEqual([await exactly(query)]);
    expect(rankings[0]).toHaveLength(0.9 * DOCUMENTS * CHUNKS_EACH);
    expect(statements).toBe(1);
  });

  it('too few for one depth says nothing about a smaller one', async () => {
    const [deep, shallow] = [asked(['E2']), asked(['E2'], 5)];
    const { rankings, statements } = await ranked([deep, shallow]);
    expect(rankings).toEqual([await exactly(deep), await exactly(shallow)]);
    // Each is tried once: the note of the deep one is about its own depth.
    expect(statements).toBe(4);
  });
});
