import { randomUUID } from 'node:crypto';
import { describeOnStack } from '@acervo/platform-testing';
import { visibilityOf } from '@acervo/rbac';
import { vectorToSql } from '@acervo/platform-database';
import { vectorTable } from '../src/kernel/bucket';
import { ChunkCopies } from '../src/legs/opensearch/copies/chunk-copies';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import type { Write } from '../src/legs/opensearch/bulk';
import type { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { PgvectorIndex } from '../src/legs/pgvector-index';
import type { SearchedDocuments } from '../src/legs/searched-documents';
import { userScope } from './documents';
import { openEngine, openOnStack } from './opensearch';
import { nameOf, near, word } from './recall-world';
import type { Retrieval } from './support';

/** More than are compared exactly; `ACERVO_SPACE_DOCUMENTS=100000` compares as ADR 32 states. */
const DOCUMENTS = Number(process.env['ACERVO_SPACE_DOCUMENTS'] ?? '25000');
const SLICE = 5_000;
const QUERIES = 30;
const FLOOR = 0.98;
jest.setTimeout(300_000);

/** Spaces by number, with the condition of their members on the number of a document. */
const SPACES = [
  { spaceId: 1, name: 'a space of one document', contains: 'n = 7', share: 1 / DOCUMENTS },
  { spaceId: 2, name: 'a space of nine documents in ten', contains: 'n % 10 <> 3', share: 0.9 },
] as const;

const AXES = Array.from({ length: 16 }, near);
const queryVector = (): Float32Array => {
  const [sum, random] = [new Float32Array(384), () => Math.random() + Math.random() + Math.random() - 1.5];
  for (const axis of AXES) {
    const weight = random();
    for (const [place, value] of axis.entries()) sum[place] = (sum[place] ?? 0) + weight * value;
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
};

const ID = `('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
/** Documents of one chunk each: random words, and a vector in the space of a few axes, as vectors of texts are. */
const LOADS = [
  `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
     location_ancestors, relative_path, path, origin)
   select $1, ${ID}, 1, 'D' || n, 'acta.txt', '', 'E1', 'L1', '{L1}', '', '', 'CARPETA' from generate_series($2::int, $3::int) n`,
  `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
   select $1, ${ID}, $4, 1, $5, 1 from generate_series($2::int, $3::int) n`,
  `insert into retrieval.chunk (bucket, group_id, space_id, document_id, generation, ordinal, start_at, end_at, text, context,
     language, terms)
   select $5, $1, $4, ${ID}, 1, 0, 0, 1, 'x', '', 'es',
     (select string_agg('w' || floor(400 * power(random(), 3)), ' ') from generate_series(1, 10 + n % 10))
   from generate_series($2::int, $3::int) n`,
  `insert into retrieval.vector_384 (bucket, group_id, space_id, document_id, generation, ordinal, embedding)
   select $5, $1, $4, ${ID}, 1, 0, l2_normalize((select sum(b.axis *
     array_fill((random() + random() + random() - 1.5 + n * 0)::real, '{384}')::vector) from unnest($6::vector[]) b (axis)))
   from generate_series($2::int, $3::int) n`,
];

describeOnStack(`a search among ${DOCUMENTS} documents`, ['postgres', 'opensearch'], () => {
  const groupId = randomUUID();
  const scope = userScope(groupId);
  let retrieval: Retrieval;
  let engine: OpenSearchEngine;
  let embeddingIndex: LiveEmbeddingIndex;

  const within = (spaceId?: number): SearchedDocuments => ({
    ...visibilityOf(scope),
    ...(spaceId === undefined ? {} : { space: { spaceId, version: 1 } }),
  });

  const loadSlice = async (from: number): Promise<void> => {
    const to = Math.min(from + SLICE - 1, DOCUMENTS);
    await retrieval.database.write({ groupId }, async (tx) => {
      const params = [groupId, from, to, embeddingIndex.indexId, embeddingIndex.bucket, AXES.map(vectorToSql)];
      const counts = [3, 5, 5, 6];
      for (const [place, sql] of LOADS.entries()) await tx.query(sql, params.slice(0, counts[place]));
    });
    const rows = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ documentId: string; terms: string }>(
        `select document_id as "documentId", terms from retrieval.chunk c
         join generate_series($2::int, $3::int) n on c.document_id = ${ID} where c.group_id = $1`,
        [groupId, from, to],
      ),
    );
    const writes = rows.map(({ documentId, terms }): Write => {
      const content = { gone: false, entity_code: 'E1', location_ancestors: ['L1'], terms };
      return { documentId, generation: 1, ordinal: 0, version: 1, content };
    });
    await engine.write({ groupId }, [1], writes);
  };

  const load = async (): Promise<void> => {
    const key = retrieval.embedder.embeddingModel;
    await retrieval.buckets.prepare({ groupId }, key.dimension);
    await (await retrieval.provider(ChunkCopies)).prepare({ groupId });
    ({ embeddingIndex } = await retrieval.database.write({ groupId }, (tx) =>
      retrieval.embeddingIndexes.ensure(tx, key, true),
    ));
    const table = vectorTable(key.dimension, embeddingIndex.bucket);
    for (let from = 1; from <= DOCUMENTS; from += SLICE) await loadSlice(from);
    await retrieval.db.asOwner(
      'retrieval',
      `set maintenance_work_mem = '512MB'; create index ${table}_hnsw on retrieval.${table} using hnsw (embedding vector_ip_ops)`,
    );
    await retrieval.buckets.look({ groupId }, embeddingIndex);
    for (const { spaceId, contains } of SPACES)
      await retrieval.database.write({ groupId }, async (tx) => {
        await tx.query(
          `insert into retrieval.space_member (group_id, space_id, version, document_id)
           select $1, $2, 1, ${ID} from generate_series(1, $3::int) n where ${contains}`,
          [groupId, spaceId, DOCUMENTS],
        );
        await tx.query(
          `insert into retrieval.space (group_id, space_id, name, description, type, owner_id, version)
           values ($1, $2, 'n', '', 'ESPACIO', $3, 1)`,
          [groupId, spaceId, randomUUID()],
        );
      });
    await engine.refresh({ groupId }, 1);
    const live = await retrieval.database.read({ groupId }, (tx) => retrieval.embeddingIndexes.live(tx));
    embeddingIndex = live ?? embeddingIndex;
  };

  beforeAll(async () => {
    engine = openEngine();
    retrieval = await openOnStack();
    await load();
  }, 900_000);
  afterAll(async () => {
    await engine.close();
    await retrieval.close();
  });

  const words = (): string => `${word()} ${word()} ${word()}`;

  /** The share of the ten nearest chunks that a search finds, which reads 200. */
  const recallOf = async (spaceId?: number): Promise<number> => {
    const index = new PgvectorIndex(retrieval.database);
    const table = `retrieval.${vectorTable(384, embeddingIndex.bucket)}`;
    const isMember = `exists (select from retrieval.space_member m where m.group_id = v.group_id
      and m.document_id = v.document_id and m.space_id = $3 and m.version = 1)`;
    let [found, expected] = [0, 0];
    for (let round = 0; round < QUERIES; round += 1) {
      const query = queryVector();
      const best = await retrieval.database.read(
        { groupId },
        (tx) =>
          tx.query<{ documentId: string; ordinal: number }>(
            `select v.document_id as "documentId", v.ordinal from ${table} v
             where v.group_id = $1 and ($3::int is null or ${isMember}) order by v.embedding <#> $2::vector limit 10`,
            [groupId, vectorToSql(query), spaceId ?? null],
          ),
        { enable_indexscan: 'off' },
      );
      const names = new Set(best.map(nameOf));
      const ranked = await index.rank({ visibility: within(spaceId), embeddingIndex, depth: 200 }, query);
      found += ranked.slice(0, 10).filter((hit) => names.has(nameOf(hit))).length;
      expected += names.size;
    }
    return found / expected;
  };

  it.each(SPACES)('vectors within $name match exact search', async ({ spaceId, name }) => {
    const [whole, recall] = [await recallOf(), await recallOf(spaceId)];
    const shown = `vector recall@10 ${recall.toFixed(3)}, ${name}; ${whole.toFixed(3)} without`;
    process.stdout.write(`${shown}, ${QUERIES} queries each\n`);
    expect(recall).toBeGreaterThanOrEqual(FLOOR);
  });

  it.each(SPACES)('words within $name match the whole ranking, narrowed', async ({ spaceId }) => {
    const stored = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ documentId: string }>(
        `select document_id as "documentId" from retrieval.space_member where group_id = $1 and space_id = $2`,
        [groupId, spaceId],
      ),
    );
    const members = new Set(stored.map(({ documentId }) => documentId));
    for (let round = 0; round < QUERIES / 3; round += 1) {
      const terms = words();
      const whole = await retrieval.lexical.rank({ visibility: within(), embeddingIndex, depth: 10_000 }, terms);
      const best = whole.filter(({ documentId }) => members.has(documentId)).slice(0, 10);
      const ranked = await retrieval.lexical.rank({ visibility: within(spaceId), embeddingIndex, depth: 10 }, terms);
      expect(ranked.slice(0, best.length)).toEqual(best);
    }
  });
});
