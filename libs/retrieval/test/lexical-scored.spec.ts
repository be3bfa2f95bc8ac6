import { randomUUID } from 'node:crypto';
import { visibilityOf } from '@acervo/rbac';
import { chunkTable } from '../src/kernel/bucket';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import { Bm25Index } from '../src/legs/bm25-index';
import {
  admittedStatement,
  lexicalStatement,
  type LegStatement,
  MOST_SCORED,
  scoredStatement,
  vectorStatement,
} from '../src/legs/leg-sql';
import type { LegQuery, RankedChunk } from '../src/legs/ranking';
import { AdmissionStore, admissionStatement } from '../src/search/admission.store';
import { SpaceDocumentStore } from '../src/spaces/reading/space-document.store';
import { userScope } from './documents';
import { executed, explaining, type PlanNode, rowsRead } from './plans';
import { keepSpace } from './stored-spaces';
import { openRetrieval, type Retrieval } from './support';

const groupId: string = randomUUID();
const [DOCUMENTS, EACH] = [1_000, 20];
const [ONE, TEN] = [1, 2];
let retrieval: Retrieval;
let embeddingIndex: LiveEmbeddingIndex;

/** Chunks with `comun`, one word of five, a word of their document in every third, and four lengths: many ties. */
const fill = async (): Promise<void> => {
  const key = retrieval.embedder.embeddingModel;
  await retrieval.buckets.prepare({ groupId }, key.dimension);
  await retrieval.database.write({ groupId }, async (tx) => {
    ({ embeddingIndex } = await retrieval.embeddingIndexes.ensure(tx, key, true));
    const place = [groupId, embeddingIndex.indexId, embeddingIndex.bucket];
    await tx.query(
      `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
         location_ancestors, relative_path, path, origin)
       select $1, gen_random_uuid(), 1, 'D' || n, 'd', '', 'E1', 'L1', '{L1}', 'd', 'd', 'CARPETA'
       from generate_series(1, $2::int) n`,
      [groupId, DOCUMENTS],
    );
    await tx.query(
      `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
       select group_id, document_id, $2, 1, $3, $4 from retrieval.document where group_id = $1`,
      [...place, EACH],
    );
    await tx.query(
      `insert into retrieval.chunk (bucket, group_id, space_id, document_id, generation, ordinal, start_at, end_at, text, context, language, terms)
       select $3, d.group_id, $2, d.document_id, 1, n, 0, 1, 'x', '', 'es', 'comun grupo' || (n % 5)
         || case when n % 3 = 0 then ' propia' || lower(d.code) else '' end || repeat(' relleno', n % 4 * 5)
       from retrieval.document d, generate_series(0, $4::int - 1) n where d.group_id = $1 order by md5(d.code || n)`,
      [...place, EACH],
    );
  });
};

const membersOf = async (documents: number): Promise<string[]> => {
  const rows = await retrieval.database.read({ groupId }, (tx) =>
    tx.query<{ documentId: string }>(
      `select document_id as "documentId" from retrieval.document where group_id = $1 order by code limit $2`,
      [groupId, documents],
    ),
  );
  return rows.map(({ documentId }) => documentId);
};

beforeAll(async () => {
  retrieval = await openRetrieval();
  await fill();
  await keepSpace(retrieval, { groupId, spaceId: ONE, members: await membersOf(1) });
  await keepSpace(retrieval, { groupId, spaceId: TEN, members: await membersOf(10) });
});
afterAll(() => retrieval.close());

const queryOf = (spaceId: number, admitted?: number): LegQuery => ({
  visibility: { ...visibilityOf(userScope(groupId)), space: { spaceId, version: 1 } },
  ...{ embeddingIndex, depth: 200, admitted },
});
const rank = (query: LegQuery, terms: string): Promise<readonly RankedChunk[]> =>
  new Bm25Index(retrieval.database).rank(query, terms);
const keyOf = ({ documentId, ordinal }: RankedChunk): string => `${documentId}:${ordinal}`;

const plan = async ({ sql, params, local }: Omit<LegStatement, 'local'> & Partial<LegStatement>): Promise<string> => {
  const rows = await retrieval.database.read(
    { groupId },
    (tx) => tx.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params),
    local,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

/** The scores of a ranking, read beside it. */
const scoresOf = async (ranked: readonly RankedChunk[], terms: string): Promise<number[]> => {
  const rows = await retrieval.database.read({ groupId }, (tx) =>
    tx.query<{ score: number }>(
      `select c.terms <@> to_bm25query($4::text, 'retrieval.chunk_${embeddingIndex.bucket}_bm25') as score
       from unnest($2::uuid[], $3::int[]) with ordinality as hit (document_id, ordinal, place)
       join retrieval.chunk_${embeddingIndex.bucket} c
         on c.group_id = $1 and c.document_id = hit.document_id and c.ordinal = hit.ordinal
       order by hit.place`,
      [groupId, ranked.map(({ documentId }) => documentId), ranked.map(({ ordinal }) => ordinal), terms],
    ),
  );
  return rows.map(({ score }) => score);
};

const QUERIES = ['comun', 'grupo1', 'grupo1 grupo2 comun', 'comun comun grupo0', 'propiad1', 'relleno', 'inexistente'];

describe.each([
  ['one document', ONE, EACH],
  ['ten documents', TEN, 10 * EACH],
])('a set of %s among 20,000 chunks', (_what, spaceId, chunks) => {
  it.each(QUERIES)('scoring ranks "%s" as the walk along the index does', async (terms) => {
    const [scored, walked] = [await rank(queryOf(spaceId, chunks), terms), await rank(queryOf(spaceId), terms)];
    expect(new Set(scored.map(keyOf))).toEqual(new Set(walked.map(keyOf)));
    const scores = await scoresOf(scored, terms);
    expect(scores).toEqual(await scoresOf(walked, terms));
    expect(scores).toEqual(scores.toSorted((one, other) => one - other));
    expect(scores.every((score) => score < 0)).toBe(true);
  });

  it('equal scores stand in the order of the table, each time', async () => {
    const [once, again] = [await rank(queryOf(spaceId, chunks), 'grupo1'), await rank(queryOf(spaceId), 'grupo1')];
    expect(once).toEqual(again);
  });

  it('scoring is bounded by its depth', async () => {
    const query = { ...queryOf(spaceId, chunks), depth: 7 };
    expect(await rank(query, 'comun')).toEqual((await rank(queryOf(spaceId, chunks), 'comun')).slice(0, 7));
  });

  it('chunks are found by key, and the index is not walked', async () => {
    const shown = await plan(scoredStatement(queryOf(spaceId), 'comun'));
    expect(shown).toMatch(new RegExp(`Index Scan using chunk_${embeddingIndex.bucket}_pkey`));
    expect(shown).not.toMatch(/_bm25|Seq Scan/);
  });

  it('the walk keeps to the order of the score within a space', async () => {
    const shown = await plan(lexicalStatement(queryOf(spaceId), 'comun'));
    expect(shown).toMatch(new RegExp(`Index Scan using chunk_${embeddingIndex.bucket}_bm25`));
    expect(shown).toMatch(/Index (?:Only )?Scan using document_pkey/);
    expect(shown).not.toMatch(/Seq Scan on chunk|Sort/);
  });

  it('documents and vectors of the space are found by key from its members', async () => {
    const query = queryOf(spaceId, chunks);
    for (const statement of [
      admissionStatement(query.visibility, 201),
      admittedStatement(query),
      scoredStatement(query, 'comun'),
      vectorStatement(query, new Float32Array(384), true),
    ]) {
      const shown = await plan(statement);
      expect(shown).toMatch(/Index Only Scan using space_member_pkey/);
      expect(shown).toMatch(/Index (?:Only )?Scan using document_pkey/);
      expect(shown).toMatch(/document_id = m.document_id/);
      expect(shown).toMatch(/document_id = d.document_id/);
      expect(shown).not.toMatch(/Seq Scan|Join Filter/);
    }
  });

  it('scoring reads the chunks of the set alone, the walk far more', async () => {
    const read = async (statement: LegStatement): Promise<number> =>
      rowsRead(await executed(retrieval.database, groupId, statement), chunkTable(embeddingIndex.bucket));
    expect(await read(scoredStatement(queryOf(spaceId), 'comun'))).toBe(chunks);
    expect(await read(lexicalStatement(queryOf(spaceId), 'comun'))).toBeGreaterThan(10 * chunks);
  });
});

describe('what decides between scoring and walking', () => {
  const admissionOf = (visibility: LegQuery['visibility']) =>
    retrieval.database.read({ groupId }, (tx) => new AdmissionStore().of(tx, visibility));

  it.each([
    ['one document', ONE, EACH],
    ['ten documents', TEN, MOST_SCORED],
  ])('the chunks of %s are counted before the legs are read', async (_what, spaceId, chunks) => {
    expect(await admissionOf(queryOf(spaceId).visibility)).toEqual({ isAny: true, chunks });
  });

  it('the count of a space reads each of its documents once', async () => {
    await keepSpace(retrieval, { groupId, spaceId: 4, members: await membersOf(DOCUMENTS) });
    await keepSpace(retrieval, { groupId, spaceId: 5, members: await membersOf(DOCUMENTS / 10) });
    const store = await retrieval.provider(SpaceDocumentStore);
    const visibility = visibilityOf(userScope(groupId));
    const counted = async (spaceId: number): Promise<number[]> => {
      const count = { visibility, space: { spaceId, version: 1 }, indexId: embeddingIndex.indexId };
      const nodes: PlanNode[] = [];
      await retrieval.database.read({ groupId }, (tx) => store.countFew(explaining(tx, nodes), count));
      return ['space_member', 'document', 'live'].map((table) => rowsRead(nodes, table));
    };
    // Its members once to see that they are few, and once to look them up.
    const tenth = DOCUMENTS / 10;
    expect(await counted(4)).toEqual([2 * DOCUMENTS, DOCUMENTS, DOCUMENTS]);
    expect(await counted(5)).toEqual([2 * tenth, tenth, tenth]);
  });

  it('many documents are not counted', async () => {
    await keepSpace(retrieval, { groupId, spaceId: 3, members: await membersOf(201) });
    expect(await admissionOf(queryOf(3).visibility)).toEqual({ isAny: true, chunks: undefined });
    expect(await admissionOf(visibilityOf(userScope(groupId)))).toEqual({ isAny: true, chunks: undefined });
  });
});
