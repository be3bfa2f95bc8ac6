// Quality of search against human judgements: each leg and both together, through /v1, beside references.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectionsIn, readCollection, referenceOf, writeRecords } from './lib/collections.mjs';
import { inPlace, withInstallation } from './lib/installation.mjs';
import { meanOf, scoresOf } from './lib/scores.mjs';
import { withWeakEmbedder } from './lib/weak-embedder.mjs';
import { measureDemo } from './quality-demo.mjs';

const print = (line) => process.stdout.write(`${line}\n`);
const LIMIT = 100;
/** An embedder that knows meaning, the built-in one, and one whose vectors are weak. */
const EMBEDDERS = ['e5', 'hashing', 'weak'];
/** How far the fused ranking of a collection may lie below its words. */
const MOST_BELOW = 0.003;

/** The documents of one leg in the order of their best chunk. */
const rankingOf = (documents, rank) =>
  documents
    .map(({ name, chunks }) => ({ name, best: Math.min(...chunks.map((chunk) => chunk[rank] ?? Infinity)) }))
    .filter(({ best }) => best < Infinity)
    .sort((a, b) => a.best - b.best)
    .map(({ name }) => name);

/**
 * The data that tuning needs of a query: for each document its chunks as [ordinal, lexical rank, vector rank, cosine].
 */
const runLine = (id, { documents }, idOf) =>
  JSON.stringify({
    query: id,
    documents: documents.map(({ name, chunks }) => [
      idOf.get(name),
      chunks.map(({ chunkNumber, lexicalRank, vectorRank, cosine }) => [chunkNumber, lexicalRank, vectorRank, cosine]),
    ]),
  });

const searchAll = async ({ queries, idOf }, { search, explain }) => {
  const scores = { lexical: [], vector: [], fused: [] };
  const runs = [];
  let settings = null;
  for (const { id, text, judged } of queries) {
    const found = (await search(text, LIMIT)).map(({ name }) => name);
    const explanation = await explain(text, LIMIT);
    const rankings = {
      lexical: rankingOf(explanation.documents, 'lexicalRank'),
      vector: rankingOf(explanation.documents, 'vectorRank'),
      fused: found,
    };
    for (const [leg, names] of Object.entries(rankings))
      scores[leg].push(
        scoresOf(
          names.map((name) => idOf.get(name)),
          judged,
        ),
      );
    runs.push(runLine(id, explanation, idOf));
    settings ??= { model: explanation.model, legs: explanation.legs };
  }
  const [lexical, vector, fused] = [scores.lexical, scores.vector, scores.fused].map(meanOf);
  return { lexical, vector, fused, runs, settings };
};

/** Variables of an installation with an embedder. The weak one is served while `work` runs. */
const withEmbedder = (embedder, work) => (embedder === 'weak' ? withWeakEmbedder(work) : work({}));

const measureCollection = (name, { data, embedder, environment, keep, runs, lexical }) => {
  const collection = readCollection(data, name);
  return inPlace(keep === undefined ? undefined : join(keep, embedder, name), async (place) => {
    const folder = join(place, 'folder');
    if (!existsSync(folder)) writeRecords(collection, folder);
    const installation = { folder, data: join(place, 'data'), embedder, environment };
    const measure = (engine) =>
      withInstallation({ ...installation, lexical: engine }, async (running) => ({
        ...(await searchAll(collection, running)),
        across:
          collection.across === null ? null : await searchAll({ ...collection, queries: collection.across }, running),
        ingested: running.ingested,
      }));
    // The documents are ingested once, so that the engines rank the very same chunks.
    const beside = lexical === 'both' ? (await measure('postgresql')).lexical : null;
    const result = await measure(lexical === 'both' ? 'opensearch' : lexical);
    if (runs !== undefined) {
      mkdirSync(join(runs, embedder), { recursive: true });
      writeFileSync(join(runs, embedder, `${name}.jsonl`), `${result.runs.join('\n')}\n`);
    }
    return { name, embedder, ...result, beside, reference: referenceOf(data, name) };
  });
};

const figure = (number = null) => (number === null || Number.isNaN(number) ? '-' : number.toFixed(3)).padStart(6);
const both = ({ ndcg, recall }) => `${figure(ndcg)} ${figure(recall)}`;

const signed = (difference) => `${difference >= 0 ? '+' : ''}${difference.toFixed(3)}`;

const row = ({ name, embedder, lexical, vector, fused, reference }) =>
  [
    name.padEnd(12),
    embedder.padEnd(8),
    String(lexical.queries).padStart(5),
    both(lexical),
    both(vector),
    both(fused),
    signed(fused.ndcg - lexical.ndcg),
    [reference.bm25, reference.vector, reference.fused].map(figure).join(' '),
  ].join(' | ');

const head = [
  'collection  ',
  'embedder',
  '    N',
  'lexical R@100',
  'vector  R@100',
  'fused   R@100',
  'words ',
  'reference: BM25, vectors, RRF k 10',
].join(' | ');

const mean = (numbers) => numbers.reduce((total, number) => total + number, 0) / numbers.length;

const differences = (results) => {
  const rows = results.filter(({ beside }) => beside !== null);
  if (rows.length === 0) return [];
  const worst = Math.max(...rows.map(({ lexical, beside }) => Math.abs(lexical.ndcg - beside.ndcg)));
  return [
    'nDCG@10 by words alone: collection, PostgreSQL, OpenSearch, difference',
    ...rows.map(({ name, lexical, beside }) =>
      [name.padEnd(12), figure(beside.ndcg), figure(lexical.ndcg), (lexical.ndcg - beside.ndcg).toFixed(4)].join(' '),
    ),
    `largest difference: ${worst.toFixed(4)}`,
  ];
};

/** The mean over collections, and its distance from the better leg and from the reference. */
const summary = (results) => {
  const over = (pick) => mean(results.map(pick));
  const leg = (name) => ({ ndcg: over((each) => each[name].ndcg), recall: over((each) => each[name].recall) });
  const against = (pick) => `${pick >= 0 ? '+' : ''}${pick.toFixed(4)}`;
  const better = (measure) =>
    against(over(({ lexical, vector, fused }) => fused[measure] - Math.max(lexical[measure], vector[measure])));
  return [
    `mean of ${results.length} collections: lexical ${both(leg('lexical'))}   vector ${both(leg('vector'))}   fused ${both(leg('fused'))}`,
    `fused against the better leg of each, in the mean: nDCG@10 ${better('ndcg')}, Recall@100 ${better('recall')}`,
    `fused against the lexical leg, at worst: ${against(Math.min(...results.map(({ lexical, fused }) => fused.ndcg - lexical.ndcg)))}`,
    `lexical against the reference BM25: in the mean ${against(over(({ lexical, reference }) => lexical.ndcg - (reference.bm25 ?? NaN)))}, at worst ${against(Math.min(...results.map(({ lexical, reference }) => lexical.ndcg - (reference.bm25 ?? NaN))))}`,
  ];
};

/** Collections whose fused ranking is worse than their words. */
const losses = (results) =>
  results
    .filter(({ lexical, fused }) => fused.ndcg < lexical.ndcg - MOST_BELOW)
    .map(({ name, embedder }) => `${name} with ${embedder} lies more than ${MOST_BELOW} below its words`);

/** Measures every collection with one embedder, and prints a row for each. */
const measureWith = (embedder, environment, { data, collections, ...options }) =>
  (collections?.split(',') ?? collectionsIn(data)).reduce(async (before, name) => {
    const results = await before;
    const result = await measureCollection(name, { data, embedder, environment, ...options });
    if (results.length === 0) print(`settings with ${embedder}: ${JSON.stringify(result.settings)}`);
    print(`${row(result)}   ${result.ingested}`);
    if (result.across !== null) print(row({ name: '  across', embedder, ...result.across, reference: {} }));
    return [...results, result];
  }, Promise.resolve([]));

export const run = async ({ data, embedder, demo, lexical = 'postgresql', ...options }) => {
  if (data === undefined && demo === undefined)
    throw new Error('Give --data DIR with judged collections, --demo DIR with files and questions, or both.');
  if (data !== undefined) {
    const all = [];
    print(head);
    for (const each of embedder?.split(',') ?? EMBEDDERS) {
      const results = await withEmbedder(each, (environment) =>
        measureWith(each, environment, { data, lexical, ...options }),
      );
      print('');
      summary(results).forEach(print);
      differences(results).forEach(print);
      print('');
      all.push(...results);
    }
    for (const loss of losses(all)) {
      print(`NOT KEPT: ${loss}`);
      process.exitCode = 1;
    }
  }
  if (demo === undefined) return;
  for (const each of embedder?.split(',') ?? [undefined])
    await withEmbedder(each, (environment) => measureDemo({ demo, embedder: each, environment, ...options }, print));
};
