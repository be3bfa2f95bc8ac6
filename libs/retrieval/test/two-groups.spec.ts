import { randomUUID } from 'node:crypto';
import { languageCodes, queryTerms } from '@acervo/analysis';
import type { DocumentDescribed } from '@acervo/contracts';
import { HashingEmbedder } from '@acervo/models';
import {
  appRole,
  catalogueViolations,
  type Database,
  openPool,
  ownerRole,
  Provisioner,
} from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import type { Visibility } from '@acervo/rbac';
import { partitionsOf } from '../src/buckets/bucket';
import { ChunkStore, type LoadedChunk } from '../src/handover/chunk.store';
import { Bm25Index } from '../src/legs/bm25-index';
import { type LegStatement, lexicalStatement, vectorStatement } from '../src/legs/leg-sql';
import { PgvectorIndex } from '../src/legs/pgvector-index';
import { retrievalMigrations, retrievalSharedTables } from '../src/migrations';
import { ProjectionStore } from '../src/projection/projection.store';
import { type LiveSpace, SpaceStore } from '../src/spaces/space.store';

const embedder = new HashingEmbedder();
const terms = (text: string): string => queryTerms(text, languageCodes);

/** Two groups with a document of the same code each, about the same words. */
describe('two groups in one database', () => {
  let server: TestDatabase;
  let database: Database;
  const groups = [randomUUID(), randomUUID()] as const;
  const spaces = new Map<string, LiveSpace>();
  const documents = new Map<string, string>();

  const load = async (groupId: string, text: string): Promise<void> => {
    const provisioner = new Provisioner(server.connection(ownerRole('retrieval')));
    const documentId = randomUUID();
    const space = await database.write({ groupId }, (tx) => new SpaceStore().ensure(tx, embedder.space));
    for (const partition of partitionsOf(space.bucket, space.dimension)) await provisioner.ensurePartition(partition);
    await provisioner.close();
    const [vector] = await embedder.embed([text]);
    const fact: DocumentDescribed = {
      documentId,
      revision: 1,
      code: 'D1',
      name: 'acta.md',
      title: null,
      summary: '',
      entityCode: 'E1',
      locationCode: 'L1',
      locationAncestors: ['L1'],
      homeVar: null,
      relativePath: 'acta.md',
      path: '/acta.md',
      origin: 'CARPETA',
    };
    const chunk: LoadedChunk = {
      ordinal: 0,
      page: null,
      start: 0,
      end: text.length,
      text,
      context: '',
      language: 'es',
      terms: terms(text),
      vector: vector ?? new Float32Array(384),
    };
    const generation = { documentId, generation: 1, space };
    await database.write({ groupId }, async (tx) => {
      await new ProjectionStore().describe(tx, fact);
      await new ChunkStore().load(tx, generation, [chunk]);
      await new ChunkStore().makeLive(tx, generation, 1);
    });
    spaces.set(groupId, space);
    documents.set(groupId, documentId);
  };

  const visibility = (groupId: string): Visibility => ({
    groupId,
    entities: ['E1'],
    locationRoots: null,
    locationCode: null,
  });
  const space = (groupId: string): LiveSpace => spaces.get(groupId) as LiveSpace;
  const leg = (asking: string, bucketOf = asking) => ({
    visibility: visibility(asking),
    space: space(bucketOf),
    depth: 200,
  });
  const vectorFor = async (text: string): Promise<Float32Array> => (await embedder.embed([text]))[0] as Float32Array;
  const found = (rows: readonly { documentId: string }[]): string[] => rows.map(({ documentId }) => documentId);

  beforeAll(async () => {
    server = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
    database = server.database('retrieval');
    for (const groupId of groups)
      await load(groupId, `El acta del consejo sobre el agua, grupo ${groupId.slice(0, 8)}.`);
  }, 60_000);
  afterAll(() => server.close());

  it('each find their own document by words and by likeness, and no other', async () => {
    for (const groupId of groups) {
      const own = documents.get(groupId);
      expect(found(await new Bm25Index(database).rank(leg(groupId), terms('acta del consejo')))).toEqual([own]);
      expect(found(await new PgvectorIndex(database).rank(leg(groupId), await vectorFor('acta del consejo')))).toEqual([
        own,
      ]);
    }
  });

  it('find nothing for a word that no chunk holds', async () => {
    expect(await new Bm25Index(database).rank(leg(groups[0]), terms('helicóptero'))).toEqual([]);
  });

  it('see nothing of each other through the other’s own partitions', async () => {
    const [mine, theirs] = groups;
    expect(await new Bm25Index(database).rank(leg(mine, theirs), terms('acta'))).toEqual([]);
    expect(await new PgvectorIndex(database).rank(leg(mine, theirs), await vectorFor('acta'))).toEqual([]);
  });

  /** The statement with every group predicate made true; its parameters keep their types. */
  const withoutPredicate = ({ sql, ...rest }: LegStatement): LegStatement => {
    const bare = sql
      .replace(/\b[a-z]\.group_id = (\$\d+::uuid)/g, '$1 is not null')
      .replace(/\b[a-z]\.group_id = [a-z]\.group_id/g, 'true');
    expect(bare).not.toMatch(/group_id =/);
    return { sql: bare, ...rest };
  };
  const statements = async (asking: string, bucketOf: string): Promise<LegStatement[]> => [
    lexicalStatement(leg(asking, bucketOf), terms('acta')),
    vectorStatement(leg(asking, bucketOf), await vectorFor('acta'), true),
  ];

  it('see nothing of each other when the predicate is lost and row level security is there', async () => {
    const [mine, theirs] = groups;
    for (const statement of await statements(mine, theirs)) {
      const bare = withoutPredicate(statement);
      const rows = await database.read({ groupId: mine }, (tx) => tx.query(bare.sql, bare.params), bare.local);
      expect(rows).toEqual([]);
    }
  });

  it('see nothing of each other when row level security is off and the predicate is there', async () => {
    const [mine, theirs] = groups;
    const tables = [
      'document',
      'live',
      'chunk',
      'vector_384',
      ...[...spaces.values()].flatMap(({ bucket }) => [`chunk_${bucket}`, `vector_384_${bucket}`]),
    ];
    for (const table of tables)
      await server.asOwner('retrieval', `alter table retrieval.${table} disable row level security`);
    const pool = openPool({ ...server.connection(appRole('retrieval')), max: 1 });
    const seen = await pool.query('select from retrieval.document');
    for (const statement of await statements(mine, theirs))
      expect((await pool.query(statement.sql, [...statement.params])).rows).toEqual([]);
    for (const statement of await statements(mine, mine))
      expect((await pool.query(statement.sql, [...statement.params])).rows).toHaveLength(1);
    await pool.end();
    for (const table of tables)
      await server.asOwner('retrieval', `alter table retrieval.${table} enable row level security`);
    expect(seen.rowCount).toBe(2);
  });

  it('live in tables that the catalogue finds nothing wrong with', async () => {
    const notTenant = [...messagingTables, ...retrievalSharedTables, 'migrations'];
    const problems = await database.ungrouped((tx) =>
      catalogueViolations(tx.query, { schema: 'retrieval', appRole: appRole('retrieval'), notTenant }),
    );
    expect(problems).toEqual([]);
  });
});
