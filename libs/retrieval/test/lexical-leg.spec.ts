import { randomUUID } from 'node:crypto';
import { visibilityOf } from '@acervo/rbac';
import { chunkTable, lexicalIndex } from '../src/kernel/bucket';
import { Bm25Index } from '../src/legs/bm25-index';
import { lexicalStatement } from '../src/legs/leg-sql';
import type { LegQuery } from '../src/legs/ranking';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import { userScope } from './documents';
import { executed, rowsRead } from './plans';
import { openRetrieval, type Retrieval } from './support';

const [groupId, small] = [randomUUID(), randomUUID()];
const DEPTH = 200;
const OF_A_DOCUMENT = 20;
let retrieval: Retrieval;
let embeddingIndex: LiveEmbeddingIndex;

/** Documents of 20 chunks, visible and invisible ones in turns. A chunk contains `comun`, one word of 50 and a unique one. The tables have no statistics. */
const fill = async (group: string, documents: number): Promise<LiveEmbeddingIndex> => {
  await retrieval.buckets.prepare({ groupId: group }, retrieval.embedder.embeddingModel.dimension);
  const { embeddingIndex: made } = await retrieval.database.write({ groupId: group }, (tx) =>
    retrieval.embeddingIndexes.ensure(tx, retrieval.embedder.embeddingModel, true),
  );
  await retrieval.database.write({ groupId: group }, async (tx) => {
    await tx.query(
      `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
         location_ancestors, relative_path, path, origin)
       select $1, gen_random_uuid(), 1, 'D' || n, 'd', '', case when n % 2 = 0 then 'E1' else 'E2' end, 'L1', '{L1}', 'd', 'd', 'CARPETA'
       from generate_series(1, $2::int) n`,
      [group, documents],
    );
    await tx.query(
      `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
       select group_id, document_id, $2, 1, $3, 20 from retrieval.document where group_id = $1`,
      [group, made.indexId, made.bucket],
    );
    await tx.query(
      `insert into retrieval.chunk (bucket, group_id, space_id, document_id, generation, ordinal, start_at, end_at, text, context, language, terms)
       select $3, d.group_id, $2, d.document_id, 1, n, 0, 1, 'x', '', 'es',
         'comun grupo' || (n % 50) || ' propia' || lower(d.code) || 'n' || n || repeat(' relleno', 30)
       from retrieval.document d, generate_series(0, 19) n where d.group_id = $1
       order by substr(d.code, 2)::int, n`,
      [group, made.indexId, made.bucket],
    );
  });
  return made;
};

const asked = (group: string, of: LiveEmbeddingIndex, entities = ['E1', 'E2']): LegQuery => ({
  visibility: visibilityOf(userScope(group, { entities })),
  embeddingIndex: of,
  depth: DEPTH,
});

beforeAll(async () => {
  retrieval = await openRetrieval();
  embeddingIndex = await fill(groupId, 100);
});
afterAll(() => retrieval.close());

describe('the lexical leg on 2,000 chunks without statistics', () => {
  it.each([['comun'], ['grupo7 comun'], ['propiad1n1'], ['inexistente']])(
    'the lexical leg reads its index in score order for "%s"',
    async (terms) => {
      const { sql, params, local } = lexicalStatement(asked(groupId, embeddingIndex), terms);
      const rows = await retrieval.database.read(
        { groupId },
        (tx) => tx.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params),
        local,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(new RegExp(`Index Scan using chunk_${embeddingIndex.bucket}_bm25`));
      expect(plan).not.toMatch(/Seq Scan on chunk|Sort/);
    },
  );

  /** The chunks that the leg scores and tests for an answer. */
  const chunksRead = async (terms: string, entities: string[]): Promise<number> => {
    const statement = lexicalStatement(asked(groupId, embeddingIndex, entities), terms);
    const nodes = await executed(retrieval.database, groupId, statement);
    const chunks = chunkTable(embeddingIndex.bucket);
    const scans = nodes.filter((node) => node['Relation Name'] === chunks);
    // Each is tested by key, once: an average of less than a row is rounded up to one in each loop.
    for (const node of nodes.filter(({ 'Relation Name': table }) => table === 'live' || table === 'document')) {
      expect(node['Index Name']).toBe(`${node['Relation Name']}_pkey`);
      expect(node['Actual Loops']).toBeLessThanOrEqual(rowsRead(nodes, chunks));
    }
    expect(scans).toMatchObject([{ 'Index Name': lexicalIndex(embeddingIndex.bucket), 'Actual Loops': 1 }]);
    return rowsRead(nodes, chunks);
  };

  it.each([['comun'], ['grupo7 comun'], ['inexistente']])(
    'the lexical leg stops reading for "%s" once its depth is visible',
    async (terms) => {
      expect(await chunksRead(terms, ['E1', 'E2'])).toBeLessThanOrEqual(DEPTH);
      // A caller who sees every second document passes over the others.
      expect(await chunksRead(terms, ['E2'])).toBeLessThanOrEqual(2 * DEPTH + OF_A_DOCUMENT);
    },
  );

  it('a caller who sees no chunk reads each chunk once', async () => {
    expect(await chunksRead('comun', ['E9'])).toBe(2_000);
  });

  it('a query that matches all chunks returns the full depth', async () => {
    const ranked = await new Bm25Index(retrieval.database).rank(asked(groupId, embeddingIndex), 'comun');
    expect(ranked).toHaveLength(200);
    expect(new Set(ranked.map(({ documentId, ordinal }) => `${documentId}:${ordinal}`)).size).toBe(200);
  });
});

describe.each([['many'], ['few']])('the lexical leg on %s chunks', (size) => {
  let query: LegQuery;
  const rank = (terms: string) => new Bm25Index(retrieval.database).rank(query, terms);

  beforeAll(async () => {
    query = size === 'many' ? asked(groupId, embeddingIndex) : asked(small, await fill(small, 2));
  });

  it('a term in no chunk returns no chunk', async () => {
    expect(await rank('inexistente')).toEqual([]);
    expect(await rank('')).toEqual([]);
  });

  it('a rare term returns exactly the chunks that contain it', async () => {
    expect(await rank('propiad1n7')).toMatchObject([{ ordinal: 7 }]);
  });

  it('a query returns exactly the chunks with any of its terms', async () => {
    const ranked = await rank('grupo7 inexistente');
    expect(ranked).toHaveLength(size === 'many' ? 100 : 2);
    expect(ranked.every(({ ordinal }) => ordinal === 7)).toBe(true);
  });

  it('a chunk with the rarer term ranks first', async () => {
    expect((await rank('grupo7 grupo8 propiad2n8'))[0]).toMatchObject({ ordinal: 8 });
  });
});
