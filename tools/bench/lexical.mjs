// Differences between the two lexical indexes: the same queries on judged collections, ranked side by side.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { collectionsIn, readCollection } from './lib/collections.mjs';
import { openSearchOf } from './lib/engines.mjs';
import { goal } from './lib/goals.mjs';
import { meanOf, scoresOf } from './lib/scores.mjs';

const require = createRequire(import.meta.url);
const print = (line) => process.stdout.write(`${line}\n`);
const retrieval = (path) => require(`../../libs/retrieval/dist/${path}.js`);
const SLICE = 100;
const MODEL = { model: 'none', revision: '1', dimension: 384, floor: 0 };

/** The chunks of a record with their terms, as in a hand-over. */
const chunksOf = ({ title, text }, name) => {
  const { chunk, passageTerms, plainText } = require('@acervo/analysis');
  const whole = title ? `${title}\n\n${text}` : text;
  return chunk(plainText(whole, { title: title || null })).map((each) => ({
    ...each,
    terms: passageTerms(each, { name, title: title || null }).join(' '),
    vector: null,
  }));
};

const describe = (record) => ({
  ...{ documentId: randomUUID(), revision: 1, code: record.file, name: record.file, title: record.title || null },
  ...{ summary: '', entityCode: 'E1', locationCode: 'L1', locationAncestors: ['L1'], homeVar: null },
  ...{ relativePath: record.file, path: record.file, origin: 'CARPETA' },
});

/** A database with the migrations of retrieval, and its writers. */
const openDatabase = async () => {
  const { openTestDatabase } = require('@acervo/platform-testing');
  const { migrationsOf } = require('@acervo/platform-service');
  const { ownerRole, Provisioner } = require('@acervo/platform-database');
  const { retrievalMigrations } = require('@acervo/retrieval');
  const db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
  const database = db.database('retrieval');
  const provisioner = new Provisioner(db.connection(ownerRole('retrieval')));
  const close = async () => {
    await provisioner.close();
    await db.close();
  };
  return { database, provisioner, close };
};

/** Loads a collection into the database; returns its embedding index and the chunks as copies. */
const load = async ({ database, provisioner }, scope, documents) => {
  const { EmbeddingIndexStore } = retrieval('embedding-indexes/embedding-index.store');
  const { ChunkStore } = retrieval('handover/chunk.store');
  const { ProjectionStore } = retrieval('projection/projection.store');
  const { BucketKeeper } = retrieval('buckets/bucket-keeper');
  const { copyOf } = retrieval('legs/opensearch/copies/open-search-copies');
  const [chunks, projection] = [new ChunkStore(), new ProjectionStore()];
  await new BucketKeeper(provisioner, database, true).prepare(scope, MODEL.dimension);
  const { embeddingIndex } = await database.write(scope, (tx) => new EmbeddingIndexStore().ensure(tx, MODEL, true));
  const copies = [];
  for (let from = 0; from < documents.length; from += SLICE)
    await database.write(scope, async (tx) => {
      for (const { record, fact } of documents.slice(from, from + SLICE)) {
        const generation = { documentId: fact.documentId, generation: 1, embeddingIndex };
        const made = chunksOf(record, fact.name);
        await projection.describe(tx, fact);
        await chunks.load(tx, generation, made);
        await chunks.makeLive(tx, generation, made.length);
        for (const { ordinal, terms } of made) copies.push(copyOf(fact, { ...generation, ordinal }, terms));
      }
    });
  return { embeddingIndex, copies };
};

const measure = async (index, { embeddingIndex, scope, queries, documents }) => {
  const { defaultLanguages, queryTerms } = require('@acervo/analysis');
  const idOf = new Map(documents.map(({ record, fact }) => [fact.documentId, record._id]));
  const visibility = { ...scope, entities: ['E1'], locationRoots: null, locationCode: null };
  const scores = [];
  for (const { text, judged } of queries) {
    const ranked = await index.rank({ visibility, embeddingIndex, depth: 600 }, queryTerms(text, defaultLanguages));
    scores.push(scoresOf([...new Set(ranked.map(({ documentId }) => idOf.get(documentId)))], judged));
  }
  return meanOf(scores);
};

const openEngine = () => {
  const { OpenSearchEngine } = retrieval('legs/opensearch/open-search-engine');
  const { Metrics } = require('@acervo/platform-observability');
  const settings = { ...openSearchOf(process.env), prefix: 'bench', replicas: 0 };
  return new OpenSearchEngine({ ...settings, searchTimeoutMs: 10_000 }, new Metrics('bench'));
};

const compare = async (name, { data, engine, db }) => {
  const { Bm25Index } = retrieval('legs/bm25-index');
  const { OpenSearchIndex } = retrieval('legs/opensearch/open-search-index');
  const { records, queries } = readCollection(data, name);
  const documents = records.map((record) => ({ record, fact: describe(record) }));
  const scope = { groupId: randomUUID() };
  const { embeddingIndex, copies } = await load(db, scope, documents);
  await engine.ensureIndex(scope, 1);
  try {
    await engine.aim(scope, 1);
    await engine.write(scope, [1], copies);
    await engine.refresh(scope, 1);
    const asked = { embeddingIndex, scope, queries, documents };
    const { database } = db;
    const embedded = await measure(new Bm25Index(database), asked);
    const apart = await measure(new OpenSearchIndex({ engine, database, lost: () => undefined }), asked);
    return { name, chunks: copies.length, embedded, apart };
  } finally {
    await engine.drop(scope, 1);
  }
};

const row = ({ name, chunks, embedded, apart }) =>
  [
    name.padEnd(12),
    String(embedded.queries).padStart(5),
    String(chunks).padStart(7),
    embedded.ndcg.toFixed(4),
    apart.ndcg.toFixed(4),
    (apart.ndcg - embedded.ndcg).toFixed(4).padStart(7),
  ].join('  ');

export const run = async ({ data, collections }) => {
  if (data === undefined) throw new Error('Give --data DIR with judged collections.');
  require('reflect-metadata');
  const engine = openEngine();
  const db = await openDatabase();
  try {
    print('collection    N     chunks  nDCG@10: PostgreSQL, OpenSearch, difference');
    const results = [];
    for (const name of collections?.split(',') ?? collectionsIn(data)) {
      results.push(await compare(name, { data, engine, db }));
      print(row(results.at(-1)));
    }
    const worst = Math.max(...results.map(({ embedded, apart }) => Math.abs(apart.ndcg - embedded.ndcg)));
    print(`largest difference of ${results.length} collections: ${worst.toFixed(4)} ${goal(0.01, worst <= 0.01)}`);
  } finally {
    await engine.close();
    await db.close();
  }
};
